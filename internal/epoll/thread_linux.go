package epoll

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// These act on the calling thread. Call them from a goroutine that is locked to its
// thread and never unlocks it: the thread then ends with the goroutine and its
// settings reach nobody else.

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
