package mounttest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// mark names the directory to the test that runs again.
const mark = "HONE_TEST_MOUNTS"

// Run runs the calling test again in a mount namespace of its own, where inside may mount
// what it likes at dir without being root. It skips where the system forbids that.
func Run(t *testing.T, inside func(t *testing.T, dir string)) {
	t.Helper()
	if dir := os.Getenv(mark); dir != "" {
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

// Tmpfs mounts an empty file system in memory at dir, with options such as size=128k.
func Tmpfs(t *testing.T, dir, options string) {
	t.Helper()
	if err := unix.Mount("none", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("this system lets no user mount a tmpfs: %v", err)
	}
}
