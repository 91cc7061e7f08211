package epoll

import (
	"math"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Poll returns the events that are there, without waiting; none also if there are
// none. They are valid until the next Poll or Sleep.
func (p *Poller) Poll() []Event {
	n, _, errno := syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.ep),
		uintptr(unsafe.Pointer(unsafe.SliceData(p.events))), uintptr(len(p.events)), 0, 0, 0)
	if errno != 0 {
		return nil
	}
	return p.events[:n]
}

// Nap is Doze by a raw system call: the runtime does not learn that the thread sleeps and
// leaves it its processor, on which nothing else runs meanwhile. So d must be short. What
// it spares: from a thread in Doze the runtime's monitor takes the processor away, after
// 20 us at the earliest, and the thread wakes the monitor when it claims one back, which
// makes a short sleep cost the switches of two threads. A signal, by which the runtime
// stops threads, ends a nap. On a kernel that knows whole milliseconds only Nap is Poll.
func (p *Poller) Nap(d time.Duration) []Event {
	if p.coarse {
		return p.Poll()
	}
	ts := timespec{sec: int64(d / time.Second), nsec: int64(d % time.Second)}
	n, _, errno := syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT2, uintptr(p.ep),
		uintptr(unsafe.Pointer(unsafe.SliceData(p.events))), uintptr(len(p.events)),
		uintptr(unsafe.Pointer(&ts)), 0, 0)
	if errno != 0 {
		return nil
	}
	return p.events[:n]
}

// Sleep waits for events for d, forever if d is negative, and returns none if d passed
// without. They are valid until the next Poll or Sleep.
//
// With no events it returns early only if a signal came (the Go runtime sends them),
// so the caller looks at its clock. How late it returns, beyond what the scheduler
// takes to run the thread, depends on the thread's timers (see FineTimers) and on the
// kernel: one before Linux 5.11 knows whole milliseconds only, to which d is rounded
// up.
func (p *Poller) Sleep(d time.Duration) []Event {
	if d <= longSleep || p.coarse {
		n, _ := p.wait(d)
		return p.events[:n]
	}
	// The kernel lets a long wait in epoll run over by a thousandth of its length. Most
	// of it first, then what the clock says is left.
	end := time.Now().Add(d)
	n, errno := p.wait(d - d/sleepParts)
	if n == 0 && errno == 0 {
		n, _ = p.wait(max(0, time.Until(end)))
	}
	return p.events[:n]
}

// Doze is Sleep for those who do not mind a thousandth of d more: it spares the reading
// of a clock.
func (p *Poller) Doze(d time.Duration) []Event {
	n, _ := p.wait(d)
	return p.events[:n]
}

const (
	// longSleep is from where on a thousandth counts beside the 10 us or so that it
	// takes to wake a thread: there it is 2 us.
	longSleep = 2 * time.Millisecond
	// sleepParts makes the rest (0.8 % of the sleep) longer than what the first part
	// may run over (0.1 %), and its own overrun too short to count.
	sleepParts = 128
	// maxCoarse is the longest wait that epoll_pwait's 32-bit milliseconds can say, 24
	// days.
	maxCoarse = math.MaxInt32 * time.Millisecond
)

// wait is one blocking wait for at most d, as Sleep. errno is EINTR after a signal.
func (p *Poller) wait(d time.Duration) (n int, errno syscall.Errno) {
	if !p.coarse {
		n, errno = p.wait2(d)
		// EPERM is how some sandboxes say that they do not know a call.
		if errno != unix.ENOSYS && errno != unix.EPERM {
			return n, errno
		}
		p.coarse = true
	}
	ms := -1
	if d >= 0 {
		ms = int((min(d, maxCoarse) + time.Millisecond - 1) / time.Millisecond)
	}
	r, _, errno := syscall.Syscall6(unix.SYS_EPOLL_PWAIT, uintptr(p.ep),
		uintptr(unsafe.Pointer(unsafe.SliceData(p.events))), uintptr(len(p.events)), uintptr(ms), 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(r), 0
}

// timespec is the kernel's __kernel_timespec: 64 bits each on every machine, unlike
// unix.Timespec.
type timespec struct{ sec, nsec int64 }

// wait2 is wait by epoll_pwait2, which takes nanoseconds.
func (p *Poller) wait2(d time.Duration) (n int, errno syscall.Errno) {
	var ts *timespec // nil waits forever
	if d >= 0 {
		ts = &timespec{sec: int64(d / time.Second), nsec: int64(d % time.Second)}
	}
	r, _, errno := syscall.Syscall6(unix.SYS_EPOLL_PWAIT2, uintptr(p.ep),
		uintptr(unsafe.Pointer(unsafe.SliceData(p.events))), uintptr(len(p.events)),
		uintptr(unsafe.Pointer(ts)), 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(r), 0
}
