package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the CPU time that a process has used so far, in nanoseconds where
// /proc/PID/stat has ticks of 10 ms. The id of its clock is the complement of its number
// and CPUCLOCK_SCHED (clock_getcpuclockid(3), linux/posix-timers.h).
func cpuTime(pid int) (time.Duration, error) {
	const schedClock = 2
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|schedClock), &t); err != nil {
		return 0, fmt.Errorf("read CPU clock of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}

// pinSelf binds this process to one CPU: all threads that there are, from which those to
// come inherit. It looks again until it finds no new one, which an unbound thread may
// have started meanwhile.
func pinSelf(cpu int) error {
	var only unix.CPUSet
	only.Set(cpu)
	pinned := map[int]bool{}
	for again := true; again; {
		again = false
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return fmt.Errorf("list own threads: %w", err)
		}
		for _, t := range threads {
			tid, err := strconv.Atoi(t.Name())
			if err != nil || pinned[tid] {
				continue
			}
			if err := unix.SchedSetaffinity(tid, &only); err != nil && err != unix.ESRCH {
				return fmt.Errorf("pin to CPU %d: %w", cpu, err)
			}
			pinned[tid], again = true, true
		}
	}
	return nil
}
