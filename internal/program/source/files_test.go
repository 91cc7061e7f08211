package source

import (
	"slices"
	"testing"

	"github.com/gohone/hone/internal/testkit/moduletest"
)

// A word that ends in .go is a file if it is there, and may be an import path else.
func TestGoFilesOfASource(t *testing.T) {
	dir := moduletest.WriteFiles(t, map[string]string{"cmd/one.go": "package main\n"})
	if files := goFiles("example.com/nats.go", dir); files != nil {
		t.Errorf("an import path is taken for %q", files)
	}
	if files := goFiles("cmd/one.go", dir); !slices.Equal(files, []string{"cmd/one.go"}) {
		t.Errorf("a file that is there is taken for %q", files)
	}
}
