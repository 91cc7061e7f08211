package main

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the CPU time that a process has used so far, from its CPU clock. The clock's
// id is what clock_getcpuclockid(3) makes of a process: the complement of its number
// and CPUCLOCK_SCHED (linux/posix-timers.h).
func cpuTime(pid int) (time.Duration, error) {
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|2), &t); err != nil {
		return 0, fmt.Errorf("read CPU clock of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}
