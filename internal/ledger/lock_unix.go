//go:build linux || darwin || freebsd

package ledger

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock takes a flock(2) on f without waiting. The kernel frees it when the last
// descriptor of this open file closes; Go opens files close-on-exec, so a subject
// that hone starts does not inherit it.
func tryLock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return errLocked
		}
		return err
	}
}
