package epoll

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// Duplicate returns a descriptor for c's socket that is the caller's own, and not handed
// to child processes. c, a connection or a listener, stays as it is; Go's own poller
// watches it until it is closed.
func Duplicate(c syscall.Conn) (fd int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return -1, fmt.Errorf("get descriptor: %w", err)
	}
	fd = -1
	var dupErr error
	err = raw.Control(func(orig uintptr) {
		fd, dupErr = unix.FcntlInt(orig, unix.F_DUPFD_CLOEXEC, 0)
	})
	if err == nil {
		err = dupErr
	}
	if err != nil {
		return -1, fmt.Errorf("duplicate descriptor: %w", err)
	}
	return fd, nil
}
