package bed

import (
	"os"
	"path/filepath"
	"testing"
)

// The page is written whole or not at all, and nothing else is left.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "document.md")
	for _, text := range []string{"old", "new"} {
		if err := WriteFile(path, text); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != "new" {
		t.Errorf("%q, %v", got, err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("%d files, %v", len(left), err)
	}
	if err := WriteFile(filepath.Join(dir, "none", "x.md"), "x"); err == nil {
		t.Error("wrote into a directory that is not there")
	}
}
