package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestEmbeddedFilesAreThoseOfTheSources fails if the sources were changed and not bundled.
func TestEmbeddedFilesAreThoseOfTheSources(t *testing.T) {
	files, err := bundle(".")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 {
		t.Errorf("%d files, want a script and a style", len(files))
	}
	for _, f := range files {
		have, err := os.ReadFile(filepath.Join(dist, f.name))
		if err != nil || !bytes.Equal(have, f.text) {
			t.Errorf("%s is not what the sources make (%v): make ui", f.name, err)
		}
	}
}
