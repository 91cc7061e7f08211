package facts

import (
	"maps"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/prof"
)

// Locked is the CPU time that is spent under one mutex.
type Locked struct {
	code.Lock
	Share     float64 // of the program's CPU time
	Stacks    []int   // on which it is spent
	Lines     map[code.Place]float64
	Functions map[string]bool // those that lock it
}

// UnderLocks says how much CPU time is spent under which mutex, as the source of the functions on the stacks says: the
// function that locks it is on the stack, at a line between Lock and Unlock. The dearest come first.
func (v *View) UnderLocks() []*Locked {
	all := map[string]*Locked{}
	for i := range v.Stacks {
		s := &v.Stacks[i]
		if s.Cost == 0 {
			continue
		}
		seen := map[string]bool{}
		for j := len(s.Frames) - 1; j >= 0; j-- {
			f := &s.Frames[j]
			if f.Origin != prof.Own {
				continue
			}
			for _, l := range v.File(f.File).LocksAt(int(f.Line)) {
				if seen[l.Key] {
					continue
				}
				seen[l.Key] = true
				u := all[l.Key]
				if u == nil {
					u = &Locked{Lock: l, Lines: map[code.Place]float64{}, Functions: map[string]bool{}}
					all[l.Key] = u
				}
				u.Share += s.Cost
				u.Stacks = append(u.Stacks, i)
				u.Lines[f.Place()] += s.Cost
				u.Functions[f.Function] = true
			}
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b *Locked) int { return CompareShares(a.Share, b.Share) })
}

// Waited is the part of the connections' time that requests waited for what the functions lock, as the profile of
// contention says: a mutex puts the time that others waited down to the function that unlocks it. procs is GOMAXPROCS
// of that profile; 0: it is not known.
func (v *View) Waited(functions map[string]bool) (share float64, procs int) {
	c, ok := v.Captures["mutex"]
	if !ok || c.Duration <= 0 || v.Numbers.Connections == 0 {
		return 0, 0
	}
	delay := column(c.Profile, "delay")
	if delay < 0 {
		return 0, 0
	}
	var nanos int64
	for _, sample := range c.Profile.Sample {
		for _, l := range sample.Location {
			if slices.ContainsFunc(l.Line, func(line profile.Line) bool {
				return line.Function != nil && functions[line.Function.Name]
			}) {
				nanos += sample.Value[delay]
				break
			}
		}
	}
	connections := float64(v.Numbers.Connections * max(1, v.Numbers.Depth))
	return min(1, float64(nanos)/(float64(c.Duration)*connections)), c.Procs
}
