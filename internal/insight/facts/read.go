package facts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/symbol"
)

// Read fills the stacks from the CPU and the allocation profile, and charges the collector's work to those who
// allocate, in proportion to their bytes (see prof.Blame). Assists are part of it: which goroutine has to do one is
// chance.
func (v *View) Read() error {
	cpu, ok := v.Captures["cpu"]
	if !ok {
		v.Missing = append(v.Missing, "no CPU profile: what burns CPU time is not known")
		return nil
	}
	if err := v.spend(cpu); err != nil {
		return fmt.Errorf("CPU profile: %w", err)
	}
	if err := v.readAllocations(cpu); err != nil {
		return fmt.Errorf("allocation profile: %w", err)
	}
	if v.Collector == 0 { // nothing to share it out by
		for i := range v.Stacks {
			if s := &v.Stacks[i]; s.Assists() {
				s.Cost = s.CPU
			}
		}
	}
	return nil
}

// add notes a stack, and which files of the user's it names.
func (v *View) add(s Stack) {
	v.Stacks = append(v.Stacks, s)
	for i := range s.Frames {
		if f := &s.Frames[i]; f.Origin == prof.Own {
			v.Note(f.Pkg, f.File)
		}
	}
}

func (v *View) readAllocations(cpu prof.Capture) error {
	allocs, ok := v.Captures["allocs"]
	if !ok || len(allocs.Profile.Sample) == 0 {
		return nil
	}
	if err := v.allocate(allocs); err != nil {
		return err
	}
	total := v.AllBytes()
	blame, err := prof.NewBlame(cpu, allocs, nil, prof.BlameOptions{Module: v.Code.Module})
	if err != nil || blame.Bytes <= 0 || total == 0 {
		return nil // too little was sampled for blame
	}
	c := blame.Collector
	v.Collector = (c.Mark + c.Sweep + c.Scavenge + c.Assist) / blame.Total
	v.Marking = (c.Mark + c.Assist) / blame.Total
	for i := range v.Stacks {
		v.Stacks[i].Cost += v.Collector * v.Stacks[i].Bytes / total
	}
	return nil
}

func (v *View) spend(c prof.Capture) error {
	value, ticks := column(c.Profile, "cpu"), column(c.Profile, "samples")
	if value < 0 {
		return fmt.Errorf("it has no column %q", "cpu")
	}
	first, total := len(v.Stacks), 0.0
	for _, s := range c.Profile.Sample {
		one, observed := v.stack(s)
		if observed || s.Value[value] <= 0 {
			continue
		}
		one.CPU = float64(s.Value[value])
		total += one.CPU
		if ticks >= 0 {
			one.ticks = s.Value[ticks]
			v.Samples += one.ticks
		}
		v.add(one)
	}
	for i := first; i < len(v.Stacks); i++ {
		s := &v.Stacks[i]
		s.CPU /= total
		if !s.Background() && !s.Assists() {
			s.Cost = s.CPU
		}
	}
	return nil
}

func (v *View) allocate(c prof.Capture) error {
	objects, bytes := column(c.Profile, "alloc_objects"), column(c.Profile, "alloc_space")
	if objects < 0 || bytes < 0 {
		return fmt.Errorf("it has no columns %q and %q", "alloc_objects", "alloc_space")
	}
	requests, ways := float64(max(c.Operations, 1)), v.allocatingWays()
	if v.staleAllocations(c.Profile, bytes, requests) {
		return nil
	}
	for _, s := range c.Profile.Sample {
		one, observed := v.stack(s)
		if observed || s.Value[bytes] <= 0 {
			continue
		}
		v.nameWays(&one, ways)
		one.drawn = float64(s.Value[bytes]) / max(sampleEvery,
			float64(s.Value[bytes])/float64(max(s.Value[objects], 1)))
		one.Objects, one.Bytes = float64(s.Value[objects])/requests, float64(s.Value[bytes])/requests
		v.add(one)
	}
	return nil
}

// sampleEvery is how many bytes lie between two samples of allocations: runtime.MemProfileRate, which few programs set.
// fewestDrawn is how many samples a number of allocations must rest on to be said.
const (
	sampleEvery = 512 << 10
	fewestDrawn = 5
)

// mostStale is how much more than the runtime counts the profile of allocations may hold. Both sample: the profile by
// bytes, the counters by the slices of the run.
const mostStale = 1.5

// staleAllocations says whether the profile holds more than was allocated while it was taken. The runtime publishes an
// allocation two collections later, so the profile of a program that rarely collects has those of its start.
func (v *View) staleAllocations(p *profile.Profile, bytes int, requests float64) bool {
	sum := 0.0
	for _, s := range p.Sample {
		sum += float64(s.Value[bytes])
	}
	counted := v.Numbers.AllocBytes
	if counted <= 0 || sum/requests <= mostStale*counted {
		return false
	}
	v.Missing = append(v.Missing,
		fmt.Sprintf("the profile of allocations holds %s per request, and the runtime counts %s: with so few collections "+
			"it is of another time",
			units.Bytes(sum/requests), units.Bytes(counted)))
	return true
}

// column is the place of a sample type; -1 if the profile has none of that name.
func column(p *profile.Profile, name string) int {
	return slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == name })
}

// stack reads the frames of a sample. observed is that of a stack of hone's probe or of the profiler.
func (v *View) stack(s *profile.Sample) (one Stack, observed bool) {
	for _, l := range s.Location {
		for _, line := range l.Line {
			if line.Function == nil {
				continue
			}
			name := line.Function.Name
			f := Frame{
				Function: name, Pkg: symbol.PackagePath(name), File: line.Function.Filename, Line: line.Line,
				Origin: v.Code.Origin(name),
			}
			if f.Origin == prof.Observer {
				return Stack{}, true
			}
			f.Name = strings.TrimPrefix(strings.TrimPrefix(name, f.Pkg), ".")
			if len(one.Frames) == 0 && preempted(&f) {
				continue
			}
			one.Frames = append(one.Frames, f)
		}
	}
	return one, false
}

// preempted takes the functions that a signal of the runtime puts on a goroutine which has run for long: where other
// programs have the CPU, the clock of the profile often ticks at the same moment, and what ran is the frame below.
func preempted(f *Frame) bool { return f.Is("runtime.asyncPreempt", "runtime.asyncPreempt2") }
