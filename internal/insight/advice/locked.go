package advice

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/prof"
)

// locked is the CPU time that is spent under one mutex.
type locked struct {
	lock
	share     float64 // of the program's CPU time
	stacks    []int   // on which it is spent
	lines     map[Place]float64
	functions map[string]bool // those that lock it
}

// underLocks says how much CPU time is spent under which mutex, as the source of the functions on the stacks says: the
// function that locks it is on the stack, at a line between Lock and Unlock. The dearest come first.
func (v *View) underLocks() []*locked {
	all := map[string]*locked{}
	for i := range v.stacks {
		s := &v.stacks[i]
		if s.cost == 0 {
			continue
		}
		seen := map[string]bool{}
		for j := len(s.frames) - 1; j >= 0; j-- {
			f := &s.frames[j]
			if f.origin != prof.Own {
				continue
			}
			for _, l := range v.source(f.file).locksAt(int(f.line)) {
				if seen[l.key] {
					continue
				}
				seen[l.key] = true
				u := all[l.key]
				if u == nil {
					u = &locked{lock: l, lines: map[Place]float64{}, functions: map[string]bool{}}
					all[l.key] = u
				}
				u.share += s.cost
				u.stacks = append(u.stacks, i)
				u.lines[f.place()] += s.cost
				u.functions[f.function] = true
			}
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b *locked) int { return compareShares(a.share, b.share) })
}

// waited is the part of the connections' time that requests waited for what the functions lock, as the profile of
// contention says: a mutex puts the time that others waited down to the function that unlocks it. procs is GOMAXPROCS
// of that profile; 0: it is not known.
func (v *View) waited(functions map[string]bool) (share float64, procs int) {
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

// contended are the findings of locks that more than one processor would wait for. seen are those that the trace shows
// requests waiting for.
func (v *View) contended(r *Rule, seen []*found, locks []*locked) []*found {
	var all []*found
	for _, u := range locks {
		if u.share < r.threshold("under") {
			break
		}
		if slices.ContainsFunc(seen, func(f *found) bool { return u.functions[f.Place.Function] }) {
			continue
		}
		share, procs := v.waited(u.functions)
		if procs == 1 || procs == 0 && v.Numbers.MaxProcs == 1 {
			v.missing = append(v.missing,
				fmt.Sprintf("%s of the CPU time is spent under the lock %s; the program had one processor, on which waits for "+
					"locks cannot be seen", percent(u.share), u.text))
		}
		if share < r.threshold("latency") || procs < 2 {
			continue
		}
		place := slices.MaxFunc(slices.Collect(maps.Keys(u.lines)), func(a, b Place) int {
			return cmp.Or(cmp.Compare(u.lines[a], u.lines[b]), comparePlaces(b, a))
		})
		all = append(all, &found{Finding: Finding{
			Title: fmt.Sprintf("%s of the CPU time is spent under the lock %s: at most %s processors can work at the same time",
				percent(u.share), u.text, digits(1/u.share)),
			Place: place, Measure: Latency, Cost: share, Gain: share,
			Evidence: []Evidence{
				{Source: "source", Text: fmt.Sprintf("%s is locked in line %d", u.text, u.line)},
				{Source: "mutex",
					Text: fmt.Sprintf("with %d processors %s of the connections wait for it at any moment", procs,
						percent(share))},
			},
		}, held: u.stacks})
	}
	return all
}

// heldAcross notes for findings of locks on which stacks they are held, where their holders compute or make system
// calls.
func heldAcross(all []*found, locks []*locked) {
	for _, f := range all {
		if f.behind == nil || f.behind.State != walltime.Running && f.behind.State != walltime.Syscall {
			continue
		}
		if i := slices.IndexFunc(locks, func(u *locked) bool { return u.functions[f.Place.Function] }); i >= 0 {
			f.held = locks[i].stacks
		}
	}
}

// underOne makes a lock a row of another finding, where that is the reason why it is held for long: it is about the
// same line, or what can be gained by others is half of what is done under the lock. The row goes to the one that takes
// most of it.
func (v *View) underOne(all []*found) (kept []*found) {
	for _, f := range all {
		reason := v.reasonFor(f, all)
		if reason == nil {
			kept = append(kept, f)
			continue
		}
		reason.Evidence = append(reason.Evidence, Evidence{Source: "also", Text: f.also()})
	}
	return kept
}

// reasonFor is the finding that makes the one of a lock a consequence; nil if there is none.
func (v *View) reasonFor(f *found, all []*found) (largest *found) {
	if f.rule != lockHeld {
		return nil
	}
	held := map[int]bool{}
	for _, i := range f.held {
		held[i] = true
	}
	gained, most := 0.0, 0.0
	for _, o := range all {
		if o.rule == lockHeld {
			continue
		}
		if f.Place.File != "" && o.Place.File == f.Place.File && o.Place.Line == f.Place.Line {
			return o
		}
		if o.Measure != CPU || o.Cost <= 0 {
			continue
		}
		under := 0.0
		for _, i := range o.stacks {
			if held[i] {
				under += v.stacks[i].cost
			}
		}
		if gain := under * min(1, o.Gain/o.Cost); gain > 0 {
			gained += gain
			if gain > most {
				largest, most = o, gain
			}
		}
	}
	if gained < v.shareOf(f.held)/2 {
		return nil
	}
	return largest
}
