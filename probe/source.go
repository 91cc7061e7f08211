package probe

import (
	"embed"
	"strings"
)

// SocketVariable is the environment variable that starts the probe: the path of the
// Unix socket it is to open.
const SocketVariable = honeProbeVariable

// ProtocolVersion is what /ping, /buildinfo and /metrics answer as their version.
const ProtocolVersion = honeProbeVersion

// A program that only imports the probe does not pay for these texts: nothing there
// refers to them, and the linker leaves them out.
//
//go:embed probe.go flight.go flight_none.go counters.go
var texts embed.FS

// files are the probe: which of the two flight recorders is compiled, the toolchain decides.
var files = []string{"probe.go", "flight.go", "flight_none.go"}

// Sources returns the probe as files of package main, by name, ready to be added to a
// program.
func Sources() map[string]string {
	sources := map[string]string{}
	for _, name := range files {
		sources[name] = ofMain(name)
	}
	return sources
}

// CountersSource is a further file of package main, for builds with coverage counters: go build -cover
// -covermode=atomic. With it the probe clears and writes them.
func CountersSource() string {
	_, text, _ := strings.Cut(ofMain("counters.go"), "\n\n") // without the line that keeps it out of this package
	return text
}

func ofMain(name string) string {
	text, err := texts.ReadFile(name)
	if err != nil {
		panic(err) // embedded above
	}
	return strings.Replace(string(text), "\npackage probe\n", "\npackage main\n", 1)
}
