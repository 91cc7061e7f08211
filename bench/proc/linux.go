package proc

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// startOn starts cmd on one CPU: a child inherits the affinity of the thread that
// forks it. A CPU below 0 leaves it to the system.
func startOn(cpu int, cmd *exec.Cmd) error {
	if cpu < 0 {
		return cmd.Start()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, only unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return fmt.Errorf("read CPU affinity: %w", err)
	}
	only.Set(cpu)
	if err := unix.SchedSetaffinity(0, &only); err != nil {
		return fmt.Errorf("pin to CPU %d: %w", cpu, err)
	}
	started := cmd.Start()
	if err := unix.SchedSetaffinity(0, &before); err != nil {
		return fmt.Errorf("restore CPU affinity: %w", err)
	}
	return started
}

// PinSelf binds this process to one CPU: all threads that there are, from which those to
// come inherit. It looks again until it finds no new one, which an unbound thread may
// have started meanwhile.
func PinSelf(cpu int) error {
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
