package observe

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/fail"
)

// onSmallDisk runs the calling test again in a mount namespace of its own, with a file
// system of 128 kB mounted at dir. It skips where the system forbids that.
func onSmallDisk(t *testing.T, inside func(t *testing.T, dir string)) {
	t.Helper()
	const mark = "OBSERVE_TEST_DISK"
	if dir := os.Getenv(mark); dir != "" {
		if err := unix.Mount("none", dir, "tmpfs", 0, "size=128k"); err != nil {
			t.Skipf("this system lets no user mount a tmpfs: %v", err)
		}
		inside(t, dir)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), mark+"="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exit):
		t.Skipf("this system gives no user and mount namespaces: %v", err)
	case bytes.Contains(out, []byte("--- SKIP")):
		t.Skipf("%s", out)
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	}
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
				if !errors.Is(err, syscall.ENOSPC) || fail.ExitCode(err) != int(fail.Storage) || fail.HintOf(err) == "" {
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

// A directory that belongs to somebody else is refused. Root may write anywhere.
func TestDirectoryOfSomebodyElse(t *testing.T) {
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
