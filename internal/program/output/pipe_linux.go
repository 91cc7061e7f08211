package output

import (
	"os"

	"golang.org/x/sys/unix"
)

// widestPipe is what an unprivileged user may ask for (proc(5), pipe-max-size).
const widestPipe = 1 << 20

// widenPipe makes the pipe as wide as allowed and returns its size in bytes. A user
// who holds many wide pipes is refused; the pipe then stays as it is.
func widenPipe(w *os.File) int {
	size := defaultPipe
	raw, err := w.SyscallConn()
	if err != nil {
		return size
	}
	_ = raw.Control(func(fd uintptr) {
		_, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, widestPipe)
		if n, err := unix.FcntlInt(fd, unix.F_GETPIPE_SZ, 0); err == nil {
			size = n
		}
	})
	return size
}
