package observe

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/testkit/mounttest"
	"github.com/gohone/hone/internal/text/fail"
)

// onSmallDisk lets a test have a file system of 128 kB at dir.
func onSmallDisk(t *testing.T, inside func(t *testing.T, dir string)) {
	t.Helper()
	mounttest.Run(t, func(t *testing.T, dir string) {
		mounttest.Tmpfs(t, dir, "size=128k")
		inside(t, dir)
	})
}

// bigSample does not fit on the small disk; its first files would.
var bigSample = append(sample[:len(sample):len(sample)], File{"prometheus/big.yaml", bytes.Repeat([]byte("x"), 1<<20)})

// A full disk leaves nothing half-written: neither of a new directory nor in one that has
// files of the user's, and with room all goes well.
func TestFullDiskLeavesNothingBehind(t *testing.T) {
	onSmallDisk(t, func(t *testing.T, dir string) {
		for _, force := range []bool{false, true} {
			if force {
				put(t, "mine", dir, "compose.yaml")
			}
			before := tree(t, dir)
			for _, below := range []string{"", "new/observe"} {
				_, err := Write(filepath.Join(dir, below), bigSample, force)
				if !errors.Is(err, syscall.ENOSPC) || fail.ExitCode(err) != int(fail.Storage) ||
					fail.HintOf(err) == "" {
					t.Errorf("force %v: %v", force, err)
				}
				checkTree(t, dir, before)
			}
		}
		if _, err := Write(dir, sample, true); err != nil {
			t.Errorf("with room: %v", err)
		}
		checkTree(t, dir, sampleTree(map[string]string{"compose.yaml.bak": "mine"}))
	})
}

// On a file system that is read-only nothing can be written, and it is not the disk's fault.
func TestReadOnlyFileSystem(t *testing.T) {
	onSmallDisk(t, func(t *testing.T, dir string) {
		if err := unix.Mount("none", dir, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
			t.Fatal(err)
		}
		for _, below := range []string{"", "new"} {
			_, err := Write(filepath.Join(dir, below), sample, false)
			if !errors.Is(err, syscall.EROFS) || fail.ExitCode(err) != int(fail.Environment) || fail.HintOf(err) == "" {
				t.Errorf("%q: %v", below, err)
			}
		}
	})
}

// A directory that belongs to another user is refused. Root may write anywhere.
func TestDirectoryOfAnotherUser(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	_, err := Write(dir, sample, false)
	if fail.ExitCode(err) != int(fail.Environment) {
		t.Error(err)
	}
}
