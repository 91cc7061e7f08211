package ledger

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gohone/hone/internal/testkit/mounttest"
	"github.com/gohone/hone/internal/text/fail"
)

// An import that fills the disk is an error of the storage, whatever it was about to
// write, and leaves no file; with space again it succeeds.
func TestImportOnAFullDisk(t *testing.T) {
	mounttest.Run(t, func(t *testing.T, mount string) {
		from := mustOpen(t, filepath.Join(t.TempDir(), "from"))
		for i := range 4 {
			storeSmall(t, from, i)
		}
		records, blob := exported(t, from)
		mounttest.Tmpfs(t, mount, "size=4m")
		dir := filepath.Join(mount, "ledger")
		to := mustOpen(t, dir)
		before := storedFiles(t, dir)
		fill := filepath.Join(mount, "fill")
		failed := 0
		for left := 0; left <= 256; left += 8 { // kB
			if err := os.WriteFile(fill, make([]byte, 4<<20), 0o600); err == nil {
				t.Fatal("the disk is not full")
			}
			info, err := os.Stat(fill)
			if err == nil {
				err = os.Truncate(fill, max(info.Size()-int64(left)<<10, 0))
			}
			if err != nil {
				t.Fatal(err)
			}
			_, err = to.Import(records, blob)
			if err == nil {
				break
			}
			failed++
			if fail.ExitCode(err) != int(fail.Storage) || !errors.Is(err, ErrFull) {
				t.Fatalf("%d kB left: %v", left, err)
			}
			if after := storedFiles(t, dir); !maps.Equal(before, after) {
				t.Fatalf("%d kB left: files were %q, are %q", left, slices.Sorted(maps.Keys(before)),
					slices.Sorted(maps.Keys(after)))
			}
		}
		if runs, err := to.Runs(RunFilter{}); err != nil || len(runs) != 8 || failed < 3 {
			t.Errorf("%d runs after %d failures, %v", len(runs), failed, err)
		}
		if report, err := to.Verify(t.Context()); err != nil || report.Err() != nil {
			t.Errorf("%v, %v", err, report.Err())
		}
	})
}
