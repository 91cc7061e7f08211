package storedir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// uses are all ways in which hone uses a name below its directory.
var uses = []struct {
	name string
	use  func(d *Dir, name string) error
	// dir says that the name has to be a directory, inPlace that the file is changed.
	dir, inPlace bool
	// replaces says that the entry itself goes, and what it leads to stays.
	replaces bool
}{
	{name: "Stat", use: func(d *Dir, name string) error { _, err := d.Stat(name); return err }},
	{name: "StatDir", use: func(d *Dir, name string) error { _, err := d.StatDir(name); return err }, dir: true},
	{name: "Open", use: func(d *Dir, name string) error { return closed(d.Open(name)) }},
	{name: "Update", use: func(d *Dir, name string) error { return closed(d.Update(name)) }, inPlace: true},
	{name: "CheckInPlace", use: func(d *Dir, name string) error { return d.CheckInPlace(name) }, inPlace: true},
	{name: "Create", use: func(d *Dir, name string) error { return closed(d.Create(name)) }},
	{name: "Mkdir", use: func(d *Dir, name string) error { _, err := d.Mkdir(name); return err }, dir: true},
	{name: "ReadDir", use: func(d *Dir, name string) error { _, err := d.ReadDir(name); return err }, dir: true},
	{name: "Names", use: func(d *Dir, name string) error { _, err := d.Names(name); return err }, dir: true},
	{name: "Sync", use: func(d *Dir, name string) error { return d.Sync(name) }, dir: true},
	{name: "CheckTree", use: func(d *Dir, name string) error { return d.CheckTree(name) }, dir: true},
	{name: "RemoveAll", use: func(d *Dir, name string) error { return d.RemoveAll(name) }, replaces: true},
	{name: "Rename", use: func(d *Dir, name string) error {
		f, temp, err := d.CreateTemp(".", "new-")
		return errors.Join(err, f.Close(), d.Rename(temp, name))
	}, replaces: true},
}

func closed(f *os.File, err error) error {
	if err != nil {
		return err
	}
	return f.Close()
}

// No use of a name follows a symbolic link, in any part of the name, also not one that
// stays within the directory.
func TestNoUseFollowsALink(t *testing.T) {
	for _, u := range uses {
		t.Run(u.name, func(t *testing.T) {
			d, documents := trapped(t)
			symlink(t, documents, d.Join("out"))
			symlink(t, "mine", d.Join("in"))
			symlink(t, filepath.Join(documents, "letter"), d.Join("file"))
			if err := os.Mkdir(d.Join("mine"), 0o700); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"out/letter", "out/new", "in/new"} {
				wantRefused(t, u.use(d, name), "symbolic link")
			}
			err := u.use(d, "file")
			switch {
			case u.replaces && err != nil:
				t.Errorf("the link itself: %v", err)
			case u.name == "Create" && !errors.Is(err, fs.ErrExist):
				t.Errorf("the link itself: %v", err)
			case u.name != "Create" && !u.replaces:
				wantRefused(t, err, "symbolic link", documents)
			}
			wantUntouched(t, documents)
		})
	}
}

// A file with a second name elsewhere is read, and not changed.
func TestNoUseChangesAFileWithTwoNames(t *testing.T) {
	for _, u := range uses {
		t.Run(u.name, func(t *testing.T) {
			d, documents := trapped(t)
			if err := os.Link(filepath.Join(documents, "letter"), d.Join("file")); err != nil {
				t.Skipf("this file system has no hard links: %v", err)
			}
			if err := u.use(d, "file"); u.inPlace {
				wantRefused(t, err, "2 names")
			}
			wantUntouched(t, documents)
		})
	}
}

// An entry below a checked tree is judged like the tree itself.
func TestCheckTreeLooksAtAllDepths(t *testing.T) {
	d, documents := trapped(t)
	for _, name := range []string{"run", "run/block", "run/block/chunks"} {
		if made, err := d.Mkdir(name); err != nil || !made {
			t.Fatal(err)
		}
	}
	if err := closed(d.Create("run/block/chunks/000001")); err != nil {
		t.Fatal(err)
	}
	if err := d.CheckTree("run"); err != nil {
		t.Errorf("a sound tree: %v", err)
	}
	symlink(t, filepath.Join(documents, "letter"), d.Join("run/block/chunks/000002\x1b[2J"))
	err := d.CheckTree("run")
	wantRefused(t, err, "symbolic link")
	if err != nil && strings.Contains(err.Error(), "\x1b") {
		t.Errorf("the error has the escape sequence of the name: %q", err)
	}
}

// The directory itself must not be a link, whatever it leads to. The hint names the real one.
func TestHomeIsNoLink(t *testing.T) {
	_, documents := trapped(t)
	dir := t.TempDir()
	for name, to := range map[string]string{"home": documents, "file": filepath.Join(documents, "letter"),
		"nowhere": filepath.Join(dir, "missing")} {
		path := filepath.Join(dir, name)
		symlink(t, to, path)
		for _, open := range []func(string) (*Dir, error){Open, Make} {
			_, err := open(path)
			wantRefused(t, err, "symbolic link", to)
		}
		if name != "nowhere" && !strings.Contains(fail.HintOf(second(Open(path))), to) {
			t.Errorf("the hint does not name %s", to)
		}
	}
	wantUntouched(t, documents)
	// A link above it is the user's own way to the place.
	symlink(t, dir, filepath.Join(dir, "self"))
	d, err := Make(filepath.Join(dir, "self", "new"))
	if err != nil {
		t.Fatal(err)
	}
	d.Close()
}

func second(_ *Dir, err error) error { return err }

// A file instead of a directory, and the other way round, is a fault of storage, no trap.
func TestWrongKind(t *testing.T) {
	d, _ := trapped(t)
	if err := errors.Join(os.WriteFile(d.Join("file"), nil, 0o600), os.Mkdir(d.Join("dir"), 0o700)); err != nil {
		t.Fatal(err)
	}
	for _, u := range uses {
		name := "dir"
		if u.dir {
			name = "file"
		}
		if u.replaces || u.name == "Create" {
			continue
		}
		if err := u.use(d, name); fail.ExitCode(err) != int(fail.Storage) || fail.HintOf(err) == "" {
			t.Errorf("%s: %v", u.name, err)
		}
	}
	if _, err := Open(d.Join("file")); fail.ExitCode(err) != int(fail.Storage) {
		t.Errorf("a file as the directory: %v", err)
	}
	if _, err := Open(d.Join("missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing there: %v", err)
	}
}

// trapped returns a directory of hone's and a directory of the user's, with one file.
func trapped(t *testing.T) (d *Dir, documents string) {
	t.Helper()
	documents = t.TempDir()
	if err := os.WriteFile(filepath.Join(documents, "letter"), []byte("Dear all"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Make(filepath.Join(t.TempDir(), "project", ".hone"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d, documents
}

func symlink(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

// wantUntouched fails unless the user's directory is as trapped made it.
func wantUntouched(t *testing.T, documents string) {
	t.Helper()
	entries, err := os.ReadDir(documents)
	if err != nil || len(entries) != 1 {
		t.Fatalf("the user's directory holds %v, %v", entries, err)
	}
	if text, err := os.ReadFile(filepath.Join(documents, "letter")); err != nil || string(text) != "Dear all" {
		t.Errorf("the user's file holds %q, %v", text, err)
	}
}

// wantRefused fails unless err is of kind Untrusted, has a hint and says all of words.
func wantRefused(t *testing.T, err error, words ...string) {
	t.Helper()
	if fail.ExitCode(err) != int(fail.Untrusted) || fail.HintOf(err) == "" {
		t.Errorf("exit code %d, hint %q: %v", fail.ExitCode(err), fail.HintOf(err), err)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not say %q", err, word)
		}
	}
}
