package load

import (
	"fmt"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The event loop's system calls. What cannot block goes through RawSyscall6, which
// spares the scheduler's bookkeeping; a loop of nothing else would never reach a
// preemption point (see worker.turn).

// recv reads what there is. errno is EAGAIN where there is nothing.
func recv(fd int, p []byte) (n int, errno syscall.Errno) {
	r, _, errno := syscall.RawSyscall6(unix.SYS_RECVFROM, uintptr(fd),
		uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)), unix.MSG_DONTWAIT, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(r), 0
}

// send writes what there is room for. A peer that is gone is EPIPE, not a signal.
func send(fd int, p []byte) (n int, errno syscall.Errno) {
	r, _, errno := syscall.RawSyscall6(unix.SYS_SENDTO, uintptr(fd),
		uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)), unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(r), 0
}

// poller is an epoll instance with an eventfd that wakes it.
type poller struct {
	ep, wakeup int
	events     []unix.EpollEvent
}

// wakeLink is the link number of the eventfd in epoll's data.
const wakeLink = -1

func newPoller(links int) (*poller, error) {
	ep, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("create epoll: %w", err)
	}
	wakeup, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		unix.Close(ep)
		return nil, fmt.Errorf("create eventfd: %w", err)
	}
	p := &poller{ep: ep, wakeup: wakeup, events: make([]unix.EpollEvent, min(links+1, 256))}
	ev := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLET, Fd: wakeLink}
	if err := unix.EpollCtl(ep, unix.EPOLL_CTL_ADD, wakeup, &ev); err != nil {
		p.close()
		return nil, fmt.Errorf("add eventfd to epoll: %w", err)
	}
	return p, nil
}

func (p *poller) close() {
	unix.Close(p.wakeup)
	unix.Close(p.ep)
}

// wake ends a sleep; edge-triggered, each write is an edge, so nobody reads it. It
// is called under the mailbox's lock, which orders it against close.
func (p *poller) wake() {
	one := [8]byte{0: 1, 7: 0}
	// An eventfd refuses only at 2^64-1 wakes, and then it is readable anyway.
	_, _ = unix.Write(p.wakeup, one[:])
}

// readable are the events each connection is watched for. EPOLLOUT is added while a
// write is blocked only: on Unix sockets it would fire at every read of the peer.
const readable = unix.EPOLLIN | unix.EPOLLRDHUP | unix.EPOLLET

// watch registers fd, or changes what is watched (op is EPOLL_CTL_ADD or _MOD).
// generation comes back with the events and tells a reused descriptor's apart.
func (p *poller) watch(op, fd, link int, generation int32, blocked bool) error {
	ev := unix.EpollEvent{Events: readable, Fd: int32(link), Pad: generation}
	if blocked {
		ev.Events |= unix.EPOLLOUT
	}
	return unix.EpollCtl(p.ep, op, fd, &ev)
}

// poll returns the events that are there.
func (p *poller) poll() []unix.EpollEvent {
	n, _, errno := syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.ep),
		uintptr(unsafe.Pointer(unsafe.SliceData(p.events))), uintptr(len(p.events)), 0, 0, 0)
	if errno != 0 {
		return nil
	}
	return p.events[:n]
}

// sleep waits for events, for at most d rounded up to milliseconds; forever if d is
// negative.
func (p *poller) sleep(d time.Duration) []unix.EpollEvent {
	ms := -1
	if d >= 0 {
		ms = int((min(d, time.Hour) + time.Millisecond - 1) / time.Millisecond)
	}
	n, _, errno := syscall.Syscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.ep),
		uintptr(unsafe.Pointer(unsafe.SliceData(p.events))), uintptr(len(p.events)), uintptr(ms), 0, 0)
	if errno != 0 { // EINTR
		return nil
	}
	return p.events[:n]
}

// threadCPU is the CPU time of the calling thread.
func threadCPU() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		return 0 // never on Linux: the clock always exists
	}
	return time.Duration(ts.Nano())
}

// pin binds the calling thread to one CPU.
func pin(cpu int) error {
	var set unix.CPUSet
	set.Set(cpu)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("pin to cpu %d: %w", cpu, err)
	}
	return nil
}
