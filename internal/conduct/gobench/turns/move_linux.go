package turns

import _ "embed"

// moveText is what the testing package takes to move a benchmark's thread to a CPU.
//
//go:embed move.go.tmpl
var moveText string
