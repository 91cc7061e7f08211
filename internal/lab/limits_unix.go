//go:build unix

package lab

import (
	"syscall"

	"github.com/gohone/hone/internal/fail"
)

// ownFiles is what hone opens besides the connections: the ledger, the guards, pipes.
const ownFiles = 64

// enoughFiles refuses a plan that would run out of file descriptors half-way.
func enoughFiles(connections int) error {
	limit, err := openFilesLimit()
	if err != nil || uint64(connections)+ownFiles <= limit {
		return nil // without a limit to read, opening the connections will tell
	}
	return fail.New(fail.Environment, "%d connections need %d open files, and this process may open %d",
		connections, connections+ownFiles, limit).
		WithHint("ulimit -n %d (the programs need as many), or use fewer connections with -c", connections+ownFiles)
}

// openFilesLimit is how many files this process may open: the hard limit, since the
// Go runtime raises the soft one to it.
func openFilesLimit() (uint64, error) {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return 0, err
	}
	return uint64(l.Max), nil
}
