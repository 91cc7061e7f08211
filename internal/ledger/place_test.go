package ledger

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/gohone/hone/internal/diskroom"
	"github.com/gohone/hone/internal/fail"
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

// SQLite's own word for a full disk is understood too, by a limit on its pages; the
// batch is not stored in part, and when the limit goes the ledger goes on.
func TestDatabaseMayGrowNoMore(t *testing.T) {
	l := mustOpen(t, t.TempDir())
	d, err := l.BeginRun(Run{})
	if err != nil {
		t.Fatal(err)
	}
	// SQLite takes the present size for a limit below it.
	if err := l.db.QueryRow("PRAGMA max_page_count = 1").Scan(new(int)); err != nil {
		t.Fatal(err)
	}
	batch := []Slice{{Index: 0}, {Index: 1, Latency: make([]byte, 1<<20)}}
	err = d.AddSlices(batch)
	wantFail(t, err, fail.Storage, "disk full", "1 MB needed", "free")
	if !errors.Is(err, ErrFull) {
		t.Errorf("not ErrFull: %v", err)
	}
	if _, err := l.db.Exec("PRAGMA max_page_count = 1000000"); err != nil {
		t.Fatal(err)
	}
	if s, err := l.Slices(d.ID()); err != nil || len(s) != 0 {
		t.Errorf("%d slices of the refused batch, %v", len(s), err)
	}
	if err := d.AddSlices(batch); err != nil {
		t.Error(err)
	}
	if _, err := d.AddArtefact("a", "b", bytes.NewReader(nil)); err != nil {
		t.Error(err)
	}
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
