package lab

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/gohone/hone/internal/fail"
)

// tempPrefix starts the name of a measurement's directory; the PID of its hone comes
// next. The directory is in the system's temporary directory, not in the ledger, since
// a Unix socket's path may have about 100 bytes only.
const tempPrefix = "hone-"

// makeTemp makes the directory of a measurement (mode 0700) and removes those that
// killed predecessors left behind.
func makeTemp() (string, error) {
	sweepTemp(os.TempDir())
	dir, err := os.MkdirTemp("", fmt.Sprintf("%s%d-", tempPrefix, os.Getpid()))
	if err != nil {
		return "", fail.New(fail.Storage, "make temporary directory: %w", err).
			WithHint("free some space there, or point TMPDIR at another directory")
	}
	return dir, nil
}

// sweepTemp removes the directories whose hone is dead. It leaves everything it does
// not understand; what it cannot remove belongs to another user.
func sweepTemp(parent string) {
	dirs, err := filepath.Glob(filepath.Join(parent, tempPrefix+"*-*"))
	if err != nil {
		return
	}
	for _, dir := range dirs {
		text, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), tempPrefix), "-")
		pid, err := strconv.Atoi(text)
		if err != nil || pid <= 0 {
			continue
		}
		if syscall.Kill(pid, 0) == syscall.ESRCH {
			os.RemoveAll(dir)
		}
	}
}
