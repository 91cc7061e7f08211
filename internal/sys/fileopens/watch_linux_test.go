package fileopens

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// What this process, and others, open is noted, and nothing else: not a file next to it, nor a look at its size.
func TestOpened(t *testing.T) {
	dir := t.TempDir()
	all := []string{"page.html", "other.html", "sub/deep.txt", "sub", ".", "none.txt", "page.html/none", "link"}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"page.html", "other.html", "sub/deep.txt", "sub/next.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("page.html", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for i, name := range all {
		all[i] = filepath.Join(dir, name)
	}
	w, err := New(all)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	step := func(what string, do func() error, want ...string) {
		t.Helper()
		if err := do(); err != nil {
			t.Fatal(err)
		}
		got, err := w.Opened()
		for i, path := range got {
			if got[i], err = filepath.Rel(dir, path); err != nil {
				t.Fatal(err)
			}
		}
		if w.opened = nil; err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", what, got, err, want)
		}
	}
	read := func(name string) func() error {
		return func() error { _, err := os.ReadFile(filepath.Join(dir, name)); return err }
	}
	step("nothing", func() error { return nil })
	step("the size of a file", func() error { _, err := os.Stat(filepath.Join(dir, "other.html")); return err })
	step("a file next to one", read("sub/next.txt"))
	step("a file with two names", read("page.html"), "link", "page.html")
	step("by another process", exec.Command("cat", filepath.Join(dir, "sub/deep.txt")).Run, "sub/deep.txt")
	step("a list of files", func() error { _, err := os.ReadDir(filepath.Join(dir, "sub")); return err }, "sub")
	step("a name of the test's directory", func() error { _, err := os.ReadDir(dir); return err }, ".")
}

// Where the kernel has lost events, all may have been opened.
func TestLostEvents(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := New([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.note([]byte{0xff, 0xff, 0xff, 0xff, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	if got, err := w.Opened(); err != nil || !slices.Equal(got, []string{file}) {
		t.Errorf("%q, %v", got, err)
	}
}
