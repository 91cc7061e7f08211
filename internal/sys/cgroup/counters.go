package cgroup

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Counters are what the kernel counted of a group since it was made. Those of a controller without a limit are 0.
type Counters struct {
	// Periods are those in which it ran, ThrottledPeriods those of them in which its CPU time was used up.
	Periods          uint64 `json:"periods,omitempty"`
	ThrottledPeriods uint64 `json:"throttled_periods,omitempty"`
	// Throttled is how long threads that could run were held back, added up over CPUs: of two CPUs two seconds in each
	// second at most.
	Throttled time.Duration `json:"throttled_ns,omitempty"`
	// OOMKills are the processes that the kernel ended at the memory limit.
	OOMKills uint64 `json:"oom_kills,omitempty"`
	// PeakMemory is the most that was in use, bytes; 0 where the kernel does not say (version 2 before Linux 5.19).
	PeakMemory int64 `json:"peak_memory_bytes,omitempty"`
}

// Since is what was counted from an earlier reading on. The peak is that of all the time.
func (c Counters) Since(earlier Counters) Counters {
	c.Periods -= earlier.Periods
	c.ThrottledPeriods -= earlier.ThrottledPeriods
	c.Throttled -= earlier.Throttled
	c.OOMKills -= earlier.OOMKills
	return c
}

// Plus adds up what two groups, or two times, counted. The peak is the higher one.
func (c Counters) Plus(o Counters) Counters {
	return Counters{c.Periods + o.Periods, c.ThrottledPeriods + o.ThrottledPeriods, c.Throttled + o.Throttled,
		c.OOMKills + o.OOMKills,
		max(c.PeakMemory, o.PeakMemory)}
}

// Read reads the counters. The error says that a file is missing that the kernel has for every group: it was removed.
func (g Group) Read() (c Counters, err error) {
	if p := g.CPU; p.Dir != "" {
		text, readErr := p.read("cpu.stat")
		c.Periods, c.ThrottledPeriods, c.Throttled = parseCPUStat(text)
		err = readErr
	}
	if p := g.Memory; p.Dir != "" {
		events, peak := "memory.events", "memory.peak"
		if p.Version1 {
			events, peak = "memory.oom_control", "memory.max_usage_in_bytes"
		}
		text, readErr := p.read(events)
		c.OOMKills = uint64(keyed(text, "oom_kill"))
		err = errors.Join(err, readErr)
		if text, readErr = p.read(peak); readErr == nil {
			c.PeakMemory = number(strings.TrimSpace(text))
		}
	}
	return c, err
}

func (p Part) read(file string) (string, error) {
	text, err := os.ReadFile(filepath.Join(p.Dir, file))
	if err != nil {
		return "", fmt.Errorf("read counters of control group: %w", err)
	}
	return string(text), nil
}

// parseCPUStat reads cpu.stat: throttled_time of version 1 is in nanoseconds, throttled_usec of version 2 in
// microseconds.
func parseCPUStat(text string) (periods, throttledPeriods uint64, throttled time.Duration) {
	throttled = time.Duration(keyed(text, "throttled_time"))
	if micros := keyed(text, "throttled_usec"); micros <= math.MaxInt64/int64(time.Microsecond) {
		throttled += time.Duration(micros) * time.Microsecond
	}
	return uint64(keyed(text, "nr_periods")), uint64(keyed(text, "nr_throttled")), throttled
}

// keyed is the number of a line "key number"; 0 without one.
func keyed(text, key string) int64 {
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name == key {
			return number(value)
		}
	}
	return 0
}

// number is a count of the kernel's; 0 of what is none.
func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
