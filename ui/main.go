// Command ui bundles the pages of hone's report and web UI into the files that internal/view/web embeds. It needs Go
// only: the libraries are in lib, and esbuild is a Go module. Run it in this directory, and commit what it writes:
//
//	go run .
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// dist is where hone embeds the files from.
var dist = filepath.Join("..", "internal", "view", "web", "dist")

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "ui:", err)
		os.Exit(1)
	}
}

func write() error {
	files, err := bundle(".")
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dist, f.name), f.text, 0o644); err != nil {
			return err
		}
		fmt.Printf("%s: %d kB\n", filepath.Join(dist, f.name), len(f.text)/1000)
	}
	return nil
}
