package plant

import _ "embed"

// loopText is what is added to the package of a planted function: loop/loop.go with the part and the name of the package.
//
//go:embed loop/hone_planted.go
var loopText string

const (
	loopFile = "hone_planted.go"
	loopCall = "honePlanted()"
)
