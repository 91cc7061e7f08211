package epoll

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// These act on the calling thread. Call them from a goroutine that is locked to its
// thread and never unlocks it: the thread then ends with the goroutine and its
// settings reach no other goroutine.

// ThreadCPU is the CPU time, user and system, that the calling thread has used.
func ThreadCPU() time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		return 0 // never on Linux: the clock always exists
	}
	return time.Duration(ts.Nano())
}

// Pin binds the calling thread to one CPU, counted from 0. It fails for a CPU that is
// not there or that this process may not use.
func Pin(cpu int) error {
	var set unix.CPUSet
	set.Set(cpu)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("pin thread to cpu %d: %w", cpu, err)
	}
	return nil
}

// FineTimers has the kernel end the calling thread's sleeps on time. Without it every
// sleep may run 50 us over, so that several can end in one interrupt (the default
// timer slack, prctl(2)). 1 ns is the least there is: 0 means the default.
func FineTimers() error {
	if err := unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("set timer slack: %w", err)
	}
	return nil
}

// shortSlice is the least that the kernel grants.
const shortSlice = 100 * time.Microsecond

// Prompt asks the kernel to run the calling thread in short turns, and in return soon after
// it wakes: before a thread of the same priority that computes ends its own turn of 3 ms.
// It takes no privilege. Kernels before Linux 6.12 take no notice (sched_setattr(2), the
// field sched_runtime under SCHED_OTHER; EEVDF).
func Prompt() error {
	attr, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		return fmt.Errorf("read scheduling of thread: %w", err)
	}
	attr.Runtime = uint64(shortSlice)
	if err := unix.SchedSetAttr(0, attr, 0); err != nil {
		return fmt.Errorf("set slice of thread: %w", err)
	}
	return nil
}
