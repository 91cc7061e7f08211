// Command hone-agent loads from this machine for a hone on another one, and is the coordinator of such a load. hone
// agent runs it, and so does hone load --agents.
package main

import (
	"os"

	"github.com/gohone/hone/internal/spec/extension"
)

func main() { os.Exit(extension.Main(commands, os.Args[1:], os.Stdout, os.Stderr)) }
