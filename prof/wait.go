package prof

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/symbol"
)

// WaitKind is the kind of wait profiles: where the wall time of a request goes, in nanoseconds per request. It comes
// from an execution trace, and no page under /debug/pprof/ has it.
const WaitKind = "wait"

// CohortLabel is the label that says which requests a sample of a wait profile is of: the values of each cohort add
// up to the latency of one request, so that the sum over cohorts means nothing.
const CohortLabel = "cohort"

// TypicalCohort is the cohort that is shown where none is named: the requests around the median.
const TypicalCohort = "typical"

// WallSampleTypes are those of wait profiles. Wall is the sum of the others, and of what is not the program's time:
// network, kernel and generator.
var WallSampleTypes = []SampleType{
	{Name: "wall", Unit: "nanoseconds", Accumulates: true},
	{Name: "running", Unit: "nanoseconds", Accumulates: true},
	{Name: "runnable", Unit: "nanoseconds", Accumulates: true},
	{Name: "syscall", Unit: "nanoseconds", Accumulates: true},
	{Name: "blocked", Unit: "nanoseconds", Accumulates: true},
}

// WithoutObserver removes the samples of a wait profile that are of hone's probe, or of the profiler or tracer itself:
// a request that waited for them would not have, had hone not looked. A program whose trace hone takes has no other
// tracer.
func WithoutObserver(p *profile.Profile) {
	var frames []symbol.Frame
	p.Sample = slices.DeleteFunc(p.Sample, func(s *profile.Sample) bool {
		frames = symbol.AppendFrames(frames[:0], s)
		return symbol.IsObserver(frames) ||
			slices.ContainsFunc(frames, func(f symbol.Frame) bool { return symbol.IsTracer(f.Function) })
	})
}

// Cohort is the part of a wait profile that is of one cohort of requests; the empty name is TypicalCohort. c stays as
// it is. The error is that of a cohort that is not there.
func (c Capture) Cohort(name string) (Capture, error) {
	if name == "" {
		name = TypicalCohort
	}
	if c.Profile == nil {
		return Capture{}, errors.New("no profile")
	}
	p := c.Profile.Copy()
	known := map[string]bool{}
	p.Sample = slices.DeleteFunc(p.Sample, func(s *profile.Sample) bool {
		for _, cohort := range s.Label[CohortLabel] {
			known[cohort] = true
		}
		return !slices.Contains(s.Label[CohortLabel], name)
	})
	if !known[name] {
		there := "none"
		if len(known) > 0 {
			there = strings.Join(slices.Sorted(maps.Keys(known)), ", ")
		}
		return Capture{}, fmt.Errorf("the wait profile has no cohort %q; there are: %s", name, there)
	}
	c.Profile = p
	return c, nil
}
