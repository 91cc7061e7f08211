// Command hone-sign signs receipts with the identity that a CI job has, by Sigstore: no key is kept anywhere. hone sign
// runs it.
package main

import (
	"os"

	"github.com/gohone/hone/internal/spec/extension"
)

func main() { os.Exit(extension.Main(commands, os.Args[1:], os.Stdout, os.Stderr)) }
