package machine

import (
	"fmt"
	"strings"
	"time"
)

// Disturbance is what the machine did to a stretch of time, as far as the system tells:
// nil is unknown, not none. Disturbed slices are to be reported, not dropped.
type Disturbance struct {
	// Elapsed is the length of the stretch.
	Elapsed time.Duration `json:"elapsed_ns"`
	// Steal is the share of the CPU time, over all CPUs, that the hypervisor gave to
	// others, 0 to 1. The kernel counts ticks of 10 ms: over 50 ms on two CPUs one tick
	// is 10 %, so one slice tells little and many tell much.
	Steal *float64 `json:"steal_share,omitempty"`
	// Busy is the CPU time that everything on this machine used, in steps of 10 ms.
	Busy *time.Duration `json:"busy_cpu_ns,omitempty"`
	// Others is the part of Busy that was not the measurement's; see WithOwn. Over a
	// short slice the coarse clock may make it negative; sums are right.
	Others *time.Duration `json:"others_cpu_ns,omitempty"`
	// Load1 is the load average over one minute at the end.
	Load1 *float64 `json:"load1,omitempty"`
	// Throttled is for how long CPUs were withheld because a control group's quota was
	// used up, summed over CPUs and over hone's control group and those around it.
	Throttled *time.Duration `json:"throttled_ns,omitempty"`
	// CPUPressure, MemoryPressure and IOPressure are the shares of the time, 0 to 1, in
	// which at least one task of the machine waited for it; MemoryStall is that in which
	// all of them did. CPU pressure contains the measurement's own: a program with more
	// threads than CPUs always has some.
	CPUPressure    *float64 `json:"cpu_pressure_share,omitempty"`
	MemoryPressure *float64 `json:"memory_pressure_share,omitempty"`
	MemoryStall    *float64 `json:"memory_stall_share,omitempty"`
	IOPressure     *float64 `json:"io_pressure_share,omitempty"`
}

// WithOwn returns d with Others, given the CPU time that the measurement itself used
// meanwhile: hone and the programs that it measures.
func (d Disturbance) WithOwn(own time.Duration) Disturbance {
	if d.Busy != nil {
		others := *d.Busy - own
		d.Others = &others
	}
	return d
}

// From these shares on a disturbance is told. They are set by judgement: hone load has
// always told of 0.5 % steal. Two ticks beyond the share keep the coarse clock's own
// error from being told of every short slice.
const (
	noticeableSteal    = 0.005
	noticeableOthers   = 0.05 // of one CPU, and two ticks
	noticeablePressure = 0.02 // of memory, and of input and output
)

// Noticeable says whether d is worth mentioning. CPU pressure and the load average
// never are by themselves, since a measurement causes them.
func (d Disturbance) Noticeable() bool {
	others := time.Duration(noticeableOthers*float64(d.Elapsed)) + 2*tick
	return atLeast(d.Steal, noticeableSteal) || (d.Throttled != nil && *d.Throttled > 0) ||
		(d.Others != nil && *d.Others >= others) ||
		atLeast(d.MemoryPressure, noticeablePressure) || atLeast(d.IOPressure, noticeablePressure)
}

func atLeast(share *float64, limit float64) bool { return share != nil && *share >= limit }

// String writes in a few words what is known and not none: "steal 1.2 %, throttled 12 ms,
// load 0.84".
func (d Disturbance) String() string {
	var words []string
	share := func(name string, s *float64) {
		if s != nil && *s >= 0.0005 {
			words = append(words, fmt.Sprintf("%s %.1f %%", name, 100**s))
		}
	}
	share("steal", d.Steal)
	if d.Throttled != nil && *d.Throttled > 0 {
		words = append(words, "throttled "+milliseconds(*d.Throttled))
	}
	if d.Others != nil && *d.Others > 0 {
		words = append(words, "other programs' CPU "+milliseconds(*d.Others))
	}
	share("CPU pressure", d.CPUPressure)
	share("memory pressure", d.MemoryPressure)
	share("I/O pressure", d.IOPressure)
	if d.Load1 != nil {
		words = append(words, fmt.Sprintf("load %.2f", *d.Load1))
	}
	if len(words) == 0 {
		return "conditions unknown"
	}
	return strings.Join(words, ", ")
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
}
