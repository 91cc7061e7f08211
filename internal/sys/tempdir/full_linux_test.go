package tempdir

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/gohone/hone/internal/testkit/mounttest"
	"github.com/gohone/hone/internal/text/fail"
)

// A full TMPDIR is an error of the storage, and no directory without a marker is left.
func TestFullDisk(t *testing.T) {
	mounttest.Run(t, func(t *testing.T, dir string) {
		mounttest.Tmpfs(t, dir, "size=64k")
		t.Setenv("TMPDIR", dir)
		if err := os.WriteFile(filepath.Join(dir, "fill"), make([]byte, 64<<10), 0o600); err != nil &&
			!errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		_, err := Make()
		if fail.ExitCode(err) != int(fail.Storage) || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%v", err)
		}
		if left, err := filepath.Glob(filepath.Join(dir, prefix+"*")); err != nil || len(left) > 0 {
			t.Errorf("left: %v, %v", left, err)
		}
	})
}
