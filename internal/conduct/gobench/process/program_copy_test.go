package process

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Both sides of a block have files of their own, each time others, with the same content.
func TestEachBlockHasItsOwnFiles(t *testing.T) {
	p := Program{Path: filepath.Join(t.TempDir(), "A0.test")}
	if err := os.WriteFile(p.Path, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	first, err := p.Copied()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.Open(first.Path) // as a process of it that goes on does
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	second, err := p.Copied()
	if err != nil {
		t.Fatal(err)
	}
	before, err1 := kept.Stat()
	after, err2 := os.Stat(second.Path)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(second.Path)
	if os.SameFile(before, after) || err != nil || string(text) != "#!/bin/sh\n" || after.Mode().Perm()&0o100 == 0 {
		t.Errorf("same file %v, mode %v, %q, %v", os.SameFile(before, after), after.Mode(), text, err)
	}
	if _, err := (Program{Path: p.Path + "x"}).Copied(); err == nil {
		t.Error("a file that is not there was copied")
	}
}
