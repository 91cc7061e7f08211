package plant

import _ "embed"

// loopText is what is added to the package of a planted function: its constants and the name of the package are set.
//
//go:embed loop/hone_planted.go
var loopText string

const (
	loopFile = "hone_planted.go"
	loopCall = "honePlanted()"
)
