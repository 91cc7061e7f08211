package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/testkit/mounttest"
)

// Fault 5: in a read-only directory nothing is built, started or loaded; 5. What is stored
// there can be read.
func TestReadOnlyLedger(t *testing.T) {
	t.Parallel()
	mounttest.Run(t, func(t *testing.T, dir string) {
		mounttest.Tmpfs(t, dir, "size=64m")
		write(t, filepath.Join(dir, "go.mod"), "module example.com/reporter\n\ngo 1.21\n")
		write(t, filepath.Join(dir, "main.go"), reporter)
		next(t, dir, "run", "--once", "--", "true")
		if err := unix.Mount("none", dir, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{
			{"run", ".", "-d", "1s", "--", "127.0.0.1:{port}"},
			{"compare", ".", ".", "--budget", "1s", "--", "127.0.0.1:{port}"},
			{"run", "--once", "--", "true"},
		} {
			cmd := exec.Command(honeBinary, args...)
			cmd.Dir = dir
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			code := exitCode(t, cmd.Run())
			said := stderr.String()
			if code != 5 || !strings.Contains(said, "read-only") || !strings.Contains(said, "hint: ") ||
				strings.Contains(said, "build A") || strings.Contains(said, "start A") ||
				strings.Contains(said, "execute") {
				t.Errorf("hone %s: exit code %d, want 5 before anything begins\n%s", args[0], code, said)
			}
		}
		if n := len(readLedger(t, dir, recentRuns).runs); n != 1 {
			t.Errorf("%d runs can be read, want 1", n)
		}
	})
}
