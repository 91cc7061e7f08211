package epoll

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Recv reads what has arrived on socket fd, at most len(p) bytes; p must not be empty.
// errno is EAGAIN where there is nothing, and n is 0 without an errno at the end of
// the stream. It never blocks, whatever the mode of the socket.
func Recv(fd int, p []byte) (n int, errno syscall.Errno) {
	r, _, errno := syscall.RawSyscall6(unix.SYS_RECVFROM, uintptr(fd),
		uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)), unix.MSG_DONTWAIT, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(r), 0
}

// Send writes what socket fd has room for and says how much that was. errno is EAGAIN
// where there is no room at all; a peer that is gone is EPIPE, not a signal. It never
// blocks, whatever the mode of the socket.
func Send(fd int, p []byte) (n int, errno syscall.Errno) {
	r, _, errno := syscall.RawSyscall6(unix.SYS_SENDTO, uintptr(fd),
		uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)), unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(r), 0
}

// Accept takes the next connection from the queue of listener fd, EAGAIN if there is
// none. The connection is non-blocking and not handed to child processes. The listener
// must be non-blocking, as Go's are: a raw call that waits takes its thread's
// processor along.
func Accept(fd int) (conn int, errno syscall.Errno) {
	r, _, errno := syscall.RawSyscall6(unix.SYS_ACCEPT4, uintptr(fd),
		0, 0, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0, 0)
	if errno != 0 {
		return -1, errno
	}
	return int(r), 0
}
