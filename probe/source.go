package probe

import (
	_ "embed"
	"strings"
)

// SocketVariable is the environment variable that starts the probe: the path of the
// Unix socket it is to open.
const SocketVariable = honeProbeVariable

// ProtocolVersion is what /ping, /buildinfo and /metrics answer as their version.
const ProtocolVersion = honeProbeVersion

// A program that only imports the probe does not pay for this text: nothing there
// refers to it, and the linker leaves it out.
//
//go:embed probe.go
var source string

// Source returns the probe as a file of package main, ready to be added to a program.
func Source() string {
	return strings.Replace(source, "\npackage probe\n", "\npackage main\n", 1)
}
