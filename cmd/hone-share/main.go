// Command hone-share gives runs to others: to an S3-compatible store that a team shares, and their profiles to Grafana
// Pyroscope. hone share runs it.
package main

import (
	"os"

	"github.com/gohone/hone/internal/spec/extension"
)

func main() { os.Exit(extension.Main(commands, os.Args[1:], os.Stdout, os.Stderr)) }
