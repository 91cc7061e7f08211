package ledger

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
)

// traps are the names in a ledger's directory, and what a repository or a prankster could
// put there instead of what hone made.
var traps = []struct {
	name      string
	directory bool // hone has a directory there
	readers   bool // a reader meets it, too
}{
	{name: "tmp", directory: true},
	{name: "blobs", directory: true},
	{name: "records", directory: true, readers: true},
	{name: "lock"},
	{name: "reserve"},
}

// No way to open a ledger follows a symbolic link in it: all are refused, and the user's
// files stay as they are.
func TestLinkInTheLedgerIsRefused(t *testing.T) {
	model := usedLedger(t)
	for _, trap := range traps {
		t.Run(trap.name, func(t *testing.T) {
			dir, documents := copyOf(t, model), userFiles(t)
			target := documents
			if !trap.directory {
				target = filepath.Join(documents, "letter")
			}
			replace(t, filepath.Join(dir, trap.name), func(path string) error { return os.Symlink(target, path) })
			wantTrapRefused(t, dir, documents, trap.readers, trap.name, "symbolic link", documents)
		})
	}
}

// A file of the user under a second name in the ledger is not changed.
func TestHardLinkInTheLedgerIsRefused(t *testing.T) {
	model := usedLedger(t)
	for _, trap := range traps {
		if trap.directory {
			continue // directories have no second name
		}
		t.Run(trap.name, func(t *testing.T) {
			dir, documents := copyOf(t, model), userFiles(t)
			replace(t, filepath.Join(dir, trap.name), func(path string) error {
				return os.Link(filepath.Join(documents, "letter"), path)
			})
			wantTrapRefused(t, dir, documents, trap.readers, trap.name, "2 names")
		})
	}
}

// A named pipe is not opened, which would wait for its other end.
func TestPipeInTheLedgerIsRefused(t *testing.T) {
	model := usedLedger(t)
	for _, trap := range traps {
		t.Run(trap.name, func(t *testing.T) {
			dir, documents := copyOf(t, model), userFiles(t)
			replace(t, filepath.Join(dir, trap.name), func(path string) error { return syscall.Mkfifo(path, 0o600) })
			wantTrapRefused(t, dir, documents, trap.readers, trap.name, "named pipe")
		})
	}
}

// What another user owns is refused.
func TestForeignFileInTheLedgerIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file to another user")
	}
	model := usedLedger(t)
	for _, trap := range traps {
		t.Run(trap.name, func(t *testing.T) {
			dir, documents := copyOf(t, model), userFiles(t)
			path := filepath.Join(dir, trap.name)
			if _, err := os.Lstat(path); err != nil {
				if err := os.WriteFile(path, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chown(path, 12345, 12345); err != nil {
				t.Fatal(err)
			}
			wantTrapRefused(t, dir, documents, trap.readers, trap.name, "uid 12345")
		})
	}
}

// The directory itself is no link, and no other user's.
func TestLedgerItselfIsATrap(t *testing.T) {
	documents := userFiles(t)
	dir := filepath.Join(t.TempDir(), ".hone")
	for _, target := range []string{documents, filepath.Join(documents, "letter"),
		filepath.Join(documents, "missing")} {
		replace(t, dir, func(path string) error { return os.Symlink(target, path) })
		wantTrapRefused(t, dir, documents, true, dir, "symbolic link", target)
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can give a directory to another user")
	}
	dir = usedLedger(t)
	if err := os.Chown(dir, 12345, 12345); err != nil {
		t.Fatal(err)
	}
	wantTrapRefused(t, dir, documents, true, dir, "uid 12345")
}

// A link among the stored files is met when one of them is read or written.
func TestLinkAmongTheBlobsIsRefused(t *testing.T) {
	for _, whole := range []bool{true, false} {
		dir, documents := usedLedger(t), userFiles(t)
		l := mustOpen(t, dir)
		d, err := l.BeginRun(Run{})
		if err != nil {
			t.Fatal(err)
		}
		text := []byte("Dear all")
		a, err := d.AddArtefact("log", "letter", bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		path, target := blobOf(t, l, a), filepath.Join(documents, "letter") // the same bytes: only the link is wrong
		if whole {
			path, target = filepath.Dir(path), documents
		}
		replace(t, path, func(path string) error { return os.Symlink(target, path) })
		before := bytesOf(t, documents)
		if _, err := l.ReadArtefact(a); fail.ExitCode(err) != int(fail.Untrusted) {
			t.Errorf("read: %v", err)
		}
		if report, err := l.Verify(t.Context()); err == nil && report.Err() == nil {
			t.Error("verify calls it sound")
		}
		_, err = d.AddArtefact("log", "again", bytes.NewReader(text))
		if whole {
			wantFail(t, err, fail.Untrusted, "symbolic link", path)
		} else if err != nil {
			t.Error(err) // the link is replaced by the file
		}
		wantUnchanged(t, documents, before)
	}
}

// What stands under .gitignore is the user's, and stays; a link there is not followed.
func TestGitignoreStays(t *testing.T) {
	dir, documents := usedLedger(t), userFiles(t)
	before := bytesOf(t, documents)
	for _, target := range []string{"letter", "missing"} {
		replace(t, filepath.Join(dir, ".gitignore"),
			func(path string) error { return os.Symlink(filepath.Join(documents, target), path) })
		mustStore(t, mustOpen(t, dir), target)
		wantUnchanged(t, documents, before)
		dir = usedLedger(t)
	}
}

// A reserve that does not have its size is made anew, not overwritten.
func TestReserveIsMadeAnew(t *testing.T) {
	dir := usedLedger(t)
	reserve := filepath.Join(dir, "reserve")
	if err := os.Truncate(reserve, 7); err != nil {
		t.Fatal(err)
	}
	was, err := os.Open(reserve) // open, so that the file's number is not given to another
	if err != nil {
		t.Fatal(err)
	}
	defer was.Close()
	mustOpen(t, dir)
	is, err := os.Stat(reserve)
	if err != nil || is.Size() != reserveBytes {
		t.Errorf("%v, %v", is, err)
	}
	if info, err := was.Stat(); err != nil || info.Size() != 7 {
		t.Errorf("the old file was written to: %v, %v", info, err)
	}
}

// usedLedger returns the directory of a ledger that holds a run and is closed.
func usedLedger(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".hone")
	l := mustOpen(t, dir)
	mustStore(t, l, "one")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// copyOf returns the directory of a copy of a ledger.
func copyOf(t *testing.T, model string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".hone")
	if err := os.CopyFS(dir, os.DirFS(model)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// userFiles returns a directory of files that are not hone's.
func userFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	err := errors.Join(os.Mkdir(filepath.Join(dir, "photos"), 0o700),
		os.WriteFile(filepath.Join(dir, "letter"), []byte("Dear all"), 0o600),
		os.WriteFile(filepath.Join(dir, "photos", "1.jpg"), []byte("\xff\xd8"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// replace puts a trap instead of what is at path.
func replace(t *testing.T, path string, set func(path string) error) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(path), set(path)); err != nil {
		t.Fatal(err)
	}
}

// wantTrapRefused opens the ledger in every way: writers must be refused with all of words,
// readers too if they meet the trap, and none may change anything, here or in documents.
func wantTrapRefused(t *testing.T, dir, documents string, readers bool, words ...string) {
	t.Helper()
	before, mine := bytesOf(t, documents), bytesOf(t, filepath.Dir(dir))
	for _, open := range []func(string) (*Ledger, error){Open, OpenExisting, OpenReader} {
		l, err := open(dir)
		if err == nil {
			l.Close()
		}
		if err == nil && l.lock == nil && !readers {
			continue // it does not look there
		}
		wantFail(t, err, fail.Untrusted, words...)
		wantUnchanged(t, filepath.Dir(dir), mine)
	}
	wantUnchanged(t, documents, before)
}

func blobOf(t *testing.T, l *Ledger, a Artefact) string {
	t.Helper()
	path, err := l.ArtefactPath(a)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
