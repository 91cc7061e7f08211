package side

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// CPUTime is the CPU time that a process has used so far, in nanoseconds where
// /proc/PID/stat has ticks of 10 ms. The id of its clock is the complement of its number
// and CPUCLOCK_SCHED (clock_getcpuclockid(3), linux/posix-timers.h).
func CPUTime(pid int) (time.Duration, error) {
	const schedClock = 2
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|schedClock), &t); err != nil {
		return 0, fmt.Errorf("read CPU clock of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}
