package machine

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// ProcessStat is what hone needs of /proc/PID/stat (proc_pid_stat(5)).
type ProcessStat struct {
	Name         string
	State        byte
	Parent       int
	Minor, Major uint64 // page faults
	// Waited is the CPU time of the children that it has waited for, and of those that these had waited for. The
	// system counts it exactly and shows it in steps of 10 ms, of user and of system time each.
	Waited time.Duration
	Born   uint64 // start, in clock ticks since boot
}

// ReadProcessStat reads that of a process.
func ReadProcessStat(pid int) (ProcessStat, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ProcessStat{}, err
	}
	return parseProcessStat(string(text))
}

// Ended says that the process has ended and only its number is left.
func (s ProcessStat) Ended() bool { return s.State == 'Z' || s.State == 'X' }

// parseProcessStat takes the name to reach to the last parenthesis: a program may call
// itself ") R 1".
func parseProcessStat(text string) (ProcessStat, error) {
	open, shut := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 0 || shut < open {
		return ProcessStat{}, errors.New("parse stat: no name")
	}
	f := strings.Fields(text[shut+1:])
	if len(f) < 20 || len(f[0]) != 1 {
		return ProcessStat{}, errors.New("parse stat: line too short")
	}
	parent, err1 := strconv.Atoi(f[1])
	minor, err2 := strconv.ParseUint(f[7], 10, 64)
	major, err3 := strconv.ParseUint(f[9], 10, 64)
	user, err4 := strconv.ParseInt(f[13], 10, 64)
	system, err5 := strconv.ParseInt(f[14], 10, 64)
	born, err6 := strconv.ParseUint(f[19], 10, 64)
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
		return ProcessStat{}, fmt.Errorf("parse stat: %w", err)
	}
	return ProcessStat{text[open+1 : shut], f[0][0], parent, minor, major, time.Duration(user+system) * tick, born}, nil
}

// ProcessCPU reads the CPU clock of a process: the run time of all its threads, ended ones
// included, in nanoseconds. The clock id of a process is ~pid<<3|2
// (clock_getcpuclockid(3); CPUCLOCK_SCHED in the kernel's posix-timers.h).
func ProcessCPU(pid int) (time.Duration, error) {
	const schedClock = 2
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|schedClock), &ts); err != nil {
		return 0, err
	}
	return time.Duration(ts.Nano()), nil
}
