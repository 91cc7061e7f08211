//go:build unix

package trust

import (
	"errors"
	"os"
	"syscall"
)

// lock waits for an exclusive lock on a file, which it creates; the lock of a process
// that died is free. It is held for one read and one write, so waiting is short.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			f.Close()
			return nil, err
		}
		return func() { f.Close() }, nil
	}
}
