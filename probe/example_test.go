package probe_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/probe"
)

// The files to add to package main of a program, and the variable that tells it where to
// open the socket.
func ExampleSources() {
	sources := probe.Sources()
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		fmt.Println(name, strings.Contains(sources[name], "\npackage main\n"))
	}
	fmt.Println(probe.SocketVariable)
	// Output:
	// flight.go true
	// flight_none.go true
	// probe.go true
	// HONE_PROBE_SOCKET
}
