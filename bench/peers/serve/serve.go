// Package serve is the main function of the programs that only serve.
package serve

import (
	"flag"
	"fmt"
	"os"
)

// Main reads the flags, -addr among them with addr as its default, and serves there until
// the program is killed. An error ends it with 1.
func Main(name, addr string, serve func(addr string) error) {
	flag.StringVar(&addr, "addr", addr, "`host:port` to listen on")
	flag.Parse()
	if err := serve(addr); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}
