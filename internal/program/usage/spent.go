package usage

import (
	"runtime"
	"syscall"
	"time"
)

// Spent is what a program took from its start to the end of its main process: its own
// and that of all processes below it that ended before and were waited for, as wait4
// tells (getrusage(2)).
type Spent struct {
	User   time.Duration `json:"user_ns"`
	System time.Duration `json:"system_ns"`
	Real   time.Duration `json:"real_ns"`
	// MaxResident is the largest resident set of any single process, bytes; 0 where it is
	// not known. AtMost says that no more than this is known of it: see peak.
	MaxResident int64 `json:"max_resident_bytes,omitempty"`
	AtMost      bool  `json:"max_resident_at_most,omitempty"`
	Voluntary   int64 `json:"voluntary_switches"`
	Involuntary int64 `json:"involuntary_switches"`
	MinorFaults int64 `json:"minor_faults"`
	MajorFaults int64 `json:"major_faults"`
}

// Add adds what a process left behind.
func (s *Spent) Add(u syscall.Rusage) {
	s.User += time.Duration(u.Utime.Nano())
	s.System += time.Duration(u.Stime.Nano())
	s.MaxResident = max(s.MaxResident, residentBytes(runtime.GOOS, int64(u.Maxrss)))
	s.Voluntary += int64(u.Nvcsw)
	s.Involuntary += int64(u.Nivcsw)
	s.MinorFaults += int64(u.Minflt)
	s.MajorFaults += int64(u.Majflt)
}

// residentBytes is ru_maxrss in bytes: it is in bytes on macOS, and in kB elsewhere.
func residentBytes(system string, maxrss int64) int64 {
	if system == "darwin" || system == "ios" {
		return maxrss
	}
	return maxrss << 10
}

// CPU is user and system time together. The kernel knows the sum to the nanosecond, and
// divides it up by what it met at its ticks.
func (s Spent) CPU() time.Duration { return s.User + s.System }
