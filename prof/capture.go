package prof

import (
	"fmt"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/internal/sampled"
)

// Capture is a profile together with the work that was done while it was taken.
type Capture struct {
	// Kind is the name of a Kind.
	Kind string
	// Profile covers the stretch of Operations and no more: for the kinds that
	// count since the start of the process it is a Delta.
	Profile *profile.Profile
	// Operations are the requests served while it was taken; never 0.
	Operations uint64
	// Duration is the wall time that it covers.
	Duration time.Duration
	// Clock is what the clock of the process says was used meanwhile, for a CPU profile; 0
	// if it was not read. The profiler sees CPU time at the kernel's ticks, and only one that
	// is due at each: of a program that works in short bursts it misses a part (a third at
	// 250 ticks per second and half a CPU, seen on Linux 6.18). Costs per request and second
	// are therefore scaled up to the clock.
	Clock time.Duration
	// Start tells the starts of the program apart that the captures of one side come from;
	// 0 if it is not known. Two processes of one program differ.
	Start int
	// PerRequest is what a request costs in all, in the unit of the sample type, where a
	// better instrument than the profile knows it: the CPU clock over many paired
	// slices. The profile then only divides it up, and a machine that was slower while
	// one of two profiles was taken makes no change. 0: Operations and the profile say.
	PerRequest float64
	// Procs is GOMAXPROCS while it was taken; 0 if it is not known. Of one processor a profile of locks shows next to
	// nothing: who holds a lock is seldom interrupted.
	Procs int
}

// seen is the part of the clock's CPU time that the profile has; 1 where that is not
// known.
func (c Capture) seen() float64 {
	if c.Clock <= 0 || c.Kind != "cpu" || c.Profile == nil {
		return 1
	}
	i, err := sampled.Column(c.Profile, "cpu")
	if err != nil {
		return 1
	}
	if sum := sampled.Sum(c.Profile, i); sum > 0 {
		return float64(sum) / float64(c.Clock)
	}
	return 1
}

// Total is a capture's sum per request, in the unit of the sample type.
type Total struct {
	// PerRequest is the subject's own sum; shares are relative to it.
	PerRequest float64
	// Observer is what hone's probe and the profiler cost in the same process, per
	// request. It is not part of PerRequest.
	Observer float64
	Unit     string
}

// Total sums a capture.
func (c Capture) Total(o CostOptions) (Total, error) {
	t, err := c.tally(o)
	if err != nil {
		return Total{}, err
	}
	return Total{PerRequest: t.total, Observer: t.observer, Unit: t.unit}, nil
}

// column returns the index of a sample type that is a cost in the profile.
func (c Capture) column(name string) (int, SampleType, error) { return c.ColumnOf(name, false) }

// ColumnOf is column; state allows what is at one moment, too.
func (c Capture) ColumnOf(name string, state bool) (int, SampleType, error) {
	want, err := c.sampleType(name)
	if err != nil {
		return 0, SampleType{}, err
	}
	if !want.Accumulates && !state {
		return 0, SampleType{}, fmt.Errorf("%s is a state, not a cost per request", want.Name)
	}
	i, err := sampled.Column(c.Profile, want.Name)
	if err != nil {
		return 0, SampleType{}, err
	}
	if unit := c.Profile.SampleType[i].Unit; unit != want.Unit {
		return 0, SampleType{}, fmt.Errorf("%s is in %s, want %s", want.Name, unit, want.Unit)
	}
	return i, want, nil
}

// sampleType returns a sample type of the capture's kind, or of the profile itself where that is of another tool.
func (c Capture) sampleType(name string) (SampleType, error) {
	if c.Kind != "" {
		kind, err := KindNamed(c.Kind)
		if err != nil {
			return SampleType{}, err
		}
		return kind.SampleType(name)
	}
	if name == "" {
		name = c.usualType()
	}
	i, err := sampled.Column(c.Profile, name)
	if err != nil {
		return SampleType{}, err
	}
	return SampleType{Name: name, Unit: c.Profile.SampleType[i].Unit, Accumulates: Accumulates("", name)}, nil
}
