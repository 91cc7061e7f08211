package advice

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/text/units"
)

var lockHeld = &Rule{
	Name: "lock-held", Title: "a lock held across slow work",
	Looks: "time that requests wait for a mutex, and what the goroutine that holds it does during that time; CPU time " +
		"spent under a mutex that several processors would wait for",
	Thresholds: append([]Threshold{{Name: "under", Value: 0.25,
		Reason: "of the CPU time under one mutex: four processors and more can all work at less"}},
		latencyThreshold...),
	Remedy: Remedy{
		Change: "Do the slow work before the lock or after it, and hold the lock only for reading and writing what it " +
			"protects. If the work needs a stable view, copy what it needs under the lock.",
		Before: "mu.Lock()\njson.NewEncoder(w).Encode(state)\nmu.Unlock()",
		After:  "mu.Lock()\ncopy := state.clone()\nmu.Unlock()\njson.NewEncoder(w).Encode(copy)",
	},
	Find: func(v *search, r *Rule) []*found {
		all := v.waitsAt(r, false, func(w facts.Wait) string {
			if w.Own.State != walltime.Lock || w.Behind == nil || v.onlyReads(w) || syncs(w) ||
				v.limits(w) != nil {
				return ""
			}
			return fmt.Sprintf("requests wait for a lock while its holder is in %s", holderText(v.holder(w)))
		})
		locks := v.UnderLocks()
		heldAcross(all, locks)
		return append(all, v.contended(r, all, locks)...)
	},
}

// holder is what the holder of a lock does that a request waits for. One that waits for the same lock is the next in
// the queue: what the one before it does is then seen in another wait at the same line.
func (v *search) holder(w facts.Wait) walltime.Call {
	if w.Behind.State != walltime.Lock && w.Behind.State != walltime.Runnable {
		return *w.Behind
	}
	for _, o := range v.EachWait() {
		if o.Own == w.Own && o.Behind != nil && o.Behind.State != walltime.Lock && o.Behind.State != walltime.Runnable {
			return *o.Behind
		}
	}
	return *w.Behind
}

func holderText(c walltime.Call) string {
	switch c.State {
	case walltime.Sleep:
		return "a sleep"
	case walltime.Network:
		return "a call to a backend"
	case walltime.Lock:
		return "the queue for the same lock or for another one"
	}
	if name := c.Outer; name != "" {
		return facts.Short(name)
	}
	if c.Function != "" {
		return facts.Short(c.Function)
	}
	return "state " + string(c.State)
}

// contended are the findings of locks that more than one processor would wait for. seen are those that the trace shows
// requests waiting for.
func (v *search) contended(r *Rule, seen []*found, locks []*facts.Locked) []*found {
	var all []*found
	for _, u := range locks {
		if u.Share < r.threshold("under") {
			break
		}
		if slices.ContainsFunc(seen, func(f *found) bool { return u.Functions[f.Place.Function] }) {
			continue
		}
		share, procs := v.Waited(u.Functions)
		if procs == 1 || procs == 0 && v.Numbers.MaxProcs == 1 {
			v.Missing = append(v.Missing,
				fmt.Sprintf("%s of the CPU time is spent under the lock %s; the program had one processor, on which waits for "+
					"locks cannot be seen", units.Share(u.Share), u.Text))
		}
		if share < r.threshold("latency") || procs < 2 {
			continue
		}
		place := slices.MaxFunc(slices.Collect(maps.Keys(u.Lines)), func(a, b code.Place) int {
			return cmp.Or(cmp.Compare(u.Lines[a], u.Lines[b]), code.ComparePlaces(b, a))
		})
		all = append(all, &found{Finding: Finding{
			Title: fmt.Sprintf("%s of the CPU time is spent under the lock %s: at most %s processors can work at the same time",
				units.Share(u.Share), u.Text, units.Digits(1/u.Share)),
			Place: place, Costs: Costs{Measure: Latency, Cost: share, Gain: share},
			Evidence: []Evidence{
				{Source: "source", Text: fmt.Sprintf("%s is locked in line %d", u.Text, u.Line)},
				{Source: "mutex",
					Text: fmt.Sprintf("with %d processors %s of the connections wait for it at any moment", procs,
						units.Share(share))},
			},
		}, held: u.Stacks})
	}
	return all
}

// heldAcross notes for findings of locks on which stacks they are held, where their holders compute or make system
// calls.
func heldAcross(all []*found, locks []*facts.Locked) {
	for _, f := range all {
		if f.behind == nil || f.behind.State != walltime.Running && f.behind.State != walltime.Syscall {
			continue
		}
		if i := slices.IndexFunc(locks, func(u *facts.Locked) bool { return u.Functions[f.Place.Function] }); i >= 0 {
			f.held = locks[i].Stacks
		}
	}
}

var readLock = &Rule{
	Name: "read-lock", Title: "data that is mostly read under a mutex",
	Looks:      "time that requests wait for a sync.Mutex in functions that only read what it protects",
	Thresholds: latencyThreshold,
	Remedy: Remedy{
		Change: "Readers do not disturb each other: take a sync.RWMutex and RLock where nothing is written. For a map " +
			"that changes rarely, an atomic.Pointer to a map that is copied on each change needs no lock to read.",
		Before: "mu.Lock()\nv := table[key]\nmu.Unlock()",
		After:  "mu.RLock() // mu sync.RWMutex\nv := table[key]\nmu.RUnlock()",
	},
	Mechanical: true,
	Find: func(v *search, r *Rule) []*found {
		return v.waitsAt(r, false, func(w facts.Wait) string {
			if w.Own.State != walltime.Lock || !v.onlyReads(w) {
				return ""
			}
			return "readers wait for each other at a mutex"
		})
	},
}

// onlyReads says whether the function that waits for a lock only reads while it holds it, as far as its source says.
func (v *search) onlyReads(w facts.Wait) bool {
	p := w.Place(false)
	return p.File != "" && strings.Contains(w.Own.Library+w.Own.Outer, "sync.(*Mutex)") &&
		v.File(p.File).ReadsUnderLock(int(p.Line))
}
