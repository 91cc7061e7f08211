package ledger

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/testkit/mounttest"
	"github.com/gohone/hone/internal/text/fail"
)

// remount makes the file system at dir read-only or writable.
func remount(t *testing.T, dir string, flags uintptr) {
	t.Helper()
	if err := unix.Mount("none", dir, "tmpfs", unix.MS_REMOUNT|flags, ""); err != nil {
		t.Fatal(err)
	}
}

// On a read-only file system a writer is refused at once, with a hint. Readers read:
// a ledger that was closed, and one that a crash left.
func TestReadOnlyFileSystem(t *testing.T) {
	mounttest.Run(t, func(t *testing.T, dir string) {
		mounttest.Tmpfs(t, dir, "size=64m")
		rest, torn := filepath.Join(dir, "rest"), filepath.Join(dir, "torn")
		l := mustOpen(t, rest)
		id := mustStore(t, l, "one")
		was := dump(t, l, id)
		// The files of a ledger in use are those that a crash leaves.
		if err := os.CopyFS(torn, os.DirFS(rest)); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		remount(t, dir, unix.MS_RDONLY)
		before := bytesOf(t, dir)
		for _, ledger := range []string{rest, torn} {
			_, err := Open(ledger)
			wantFail(t, err, fail.Storage, "no permission", "read-only")
			if hint := fail.HintOf(err); !strings.Contains(hint, "read-only") {
				t.Errorf("hint %q", hint)
			}
			r := mustRead(t, ledger)
			if dump(t, r, id) != was {
				t.Errorf("%s reads differently", ledger)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		_, err := Open(filepath.Join(dir, "new"))
		wantFail(t, err, fail.Storage, "no permission")
		wantUnchanged(t, dir, before)
	})
}

// The file system fills up in the middle of a run. The message has needed and free
// bytes, the run can still be stored as partial, no half file is left; and when
// there is space again the ledger goes on without repair.
func TestFullFileSystem(t *testing.T) { fullFileSystem(t, false) }

// The same, and the command ends while the file system is full.
func TestFullFileSystemAtTheEnd(t *testing.T) { fullFileSystem(t, true) }

func fullFileSystem(t *testing.T, reopen bool) {
	mounttest.Run(t, func(t *testing.T, dir string) {
		mounttest.Tmpfs(t, dir, "size=8m")
		home := filepath.Join(dir, ".hone")
		l := mustOpen(t, home)
		before := mustStore(t, l, "before")
		was := dump(t, l, before)
		d, err := l.BeginRun(Run{Label: "full"})
		if err != nil {
			t.Fatal(err)
		}
		filler := fillUp(t, filepath.Join(dir, "filler"))

		_, err = d.AddArtefact("cpu", "big", bytes.NewReader(make([]byte, 3<<20)))
		wantFull(t, err)
		err = d.AddSlices([]packed.Slice{{Latencies: packed.Latencies{Service: packed.Histogram(strings.Repeat("a",
			4<<20))}}})
		wantFull(t, err)
		if left, err := os.ReadDir(filepath.Join(home, "tmp")); err != nil || len(left) != 0 {
			t.Errorf("left in tmp: %v %v", left, err)
		}
		if err := d.AddMeasures([]MeasureValue{{Name: "cpu", Unit: "ns", Value: 7}}); err != nil {
			t.Error(err)
		}
		if err := d.Finish(Partial, "the disk is full", []byte(`{"schema":1}`)); err != nil {
			t.Errorf("no partial run: %v", err)
		}
		if m, err := l.Measures(d.ID()); err != nil || len(m) != 1 {
			t.Errorf("the partial run's measures: %v, %v", m, err)
		}
		// The reserve is for the run; a note on it finds the disk as full as it was.
		fillMore(t, filepath.Join(dir, "more"))
		_, err = l.SetBaseline("", before, strings.Repeat("n", 1<<20))
		wantFull(t, err)
		if dump(t, l, before) != was {
			t.Error("the run before differs")
		}

		if reopen {
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			// history and show work while the disk is still full
			if dump(t, mustRead(t, home), before) != was {
				t.Error("the run before reads differently")
			}
		}
		if err := errors.Join(os.Remove(filler), os.Remove(filepath.Join(dir, "more"))); err != nil {
			t.Fatal(err)
		}
		if !reopen {
			mustStore(t, l, "after")
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		}
		l = mustOpen(t, home)
		mustStore(t, l, "after that")
		if all, err := l.Baselines(); err != nil || len(all) != 0 {
			t.Errorf("a baseline that was refused is there: %v, %v", all, err)
		}
		if r, err := l.Run(d.ID()); err != nil || r.Status != Partial {
			t.Errorf("the run is %s, want partial: %v", r.Status, err)
		}
		report, err := l.Verify(t.Context())
		if err != nil || report.Err() != nil || len(report.Orphans) != 0 {
			t.Errorf("verify: %v %v, orphans %v", err, report.Err(), report.Orphans)
		}
		if info, err := os.Stat(filepath.Join(home, "reserve")); err != nil || info.Size() != reserveBytes {
			t.Errorf("the reserve was not made again: %v", err)
		}
	})
}

// On a file system that is full from the start a writer says so, and makes nothing
// that would stand in the way later.
func TestFullBeforeTheFirstRun(t *testing.T) {
	mounttest.Run(t, func(t *testing.T, dir string) {
		mounttest.Tmpfs(t, dir, "size=1m")
		filler := fillUp(t, filepath.Join(dir, "filler"))
		home := filepath.Join(dir, ".hone")
		_, err := Open(home)
		wantFull(t, err)
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		mustStore(t, mustOpen(t, home), "first")
	})
}

// A ledger that a crash left is read on a full file system, and a writer is refused.
func TestCrashedLedgerOnFullFileSystem(t *testing.T) {
	mounttest.Run(t, func(t *testing.T, dir string) {
		mounttest.Tmpfs(t, dir, "size=16m")
		l := mustOpen(t, filepath.Join(dir, "used"))
		id := mustStore(t, l, "one")
		was := dump(t, l, id)
		d, err := l.BeginRun(Run{})
		if err != nil {
			t.Fatal(err)
		}
		orphan(t, l, d)
		if err := errors.Join(l.Close(), os.Remove(filepath.Join(l.Dir(), reserveName))); err != nil {
			t.Fatal(err)
		}
		fillUp(t, filepath.Join(dir, "filler"))
		r := mustRead(t, l.Dir())
		if dump(t, r, id) != was {
			t.Error("the run reads differently")
		}
		if crashed, err := r.Run(d.ID()); err != nil || crashed.Status != Crashed {
			t.Errorf("%+v, %v", crashed, err)
		}
		_, err = Open(l.Dir())
		wantFull(t, err)
		if dump(t, r, id) != was {
			t.Error("the run reads differently after a writer was refused")
		}
	})
}

// fillUp writes a file until the file system is full.
func fillUp(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	return path
}

func wantFull(t *testing.T, err error) {
	t.Helper()
	wantFail(t, err, fail.Storage, "disk full", "needed", "0 B free")
	if !errors.Is(err, ErrFull) {
		t.Errorf("not ErrFull: %v", err)
	}
}

// fillMore fills what became free since fillUp.
func fillMore(t *testing.T, path string) { fillUp(t, path) }
