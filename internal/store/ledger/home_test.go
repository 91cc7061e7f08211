package ledger

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gohone/hone/internal/sys/diskroom"
	"github.com/gohone/hone/internal/text/fail"
)

// A file where the directory should be is named, and stays.
func TestFileInPlaceOfTheDirectory(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ".hone")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := bytesOf(t, dir)
	_, err := Open(path)
	wantFail(t, err, fail.Storage, path, "is a file")
	_, err = OpenReader(path)
	wantFail(t, err, fail.Storage, path, "is a file")
	wantUnchanged(t, dir, before)
}

// A directory without write permission is refused, though its files could be
// written.
func TestDirectoryWithoutPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root writes everywhere; TestReadOnlyFileSystem is this story for root")
	}
	dir := t.TempDir()
	l := mustOpen(t, dir)
	id := mustStore(t, l, "one")
	l.Close()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o700) })
	before := bytesOf(t, dir)
	_, err := Open(dir)
	wantFail(t, err, fail.Storage, dir, "no permission")
	if _, err := mustRead(t, dir).Run(id); err != nil {
		t.Error(err)
	}
	wantUnchanged(t, dir, before)
}

// Free speaks of the nearest directory that exists.
func TestFree(t *testing.T) {
	dir := t.TempDir()
	if _, err := diskroom.Free(filepath.Join(dir, "not", "yet")); err != nil {
		t.Error(err)
	}
	if free, err := diskroom.Free(dir); err != nil || free == 0 {
		t.Errorf("%d bytes free, %v", free, err)
	}
}
