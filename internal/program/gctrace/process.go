package gctrace

import (
	"cmp"
	"fmt"
)

// Process is one process of a program: its collections are counted from 1.
type Process struct {
	// Name is what a log calls the process, such as the container's name; empty if it says nothing.
	Name string `json:"name,omitempty"`
	// Start counts the processes of that name, from 1: a container that was started again has the same name.
	Start  int     `json:"start"`
	Cycles []Cycle `json:"cycles"`
}

// Title names the process among others.
func (p Process) Title() string {
	switch {
	case p.Name == "":
		return fmt.Sprintf("process %d", p.Start)
	case p.Start > 1:
		return fmt.Sprintf("%s, start %d", p.Name, p.Start)
	default:
		return p.Name
	}
}

// last is the latest collection.
func (p *Process) last() Cycle { return p.Cycles[len(p.Cycles)-1] }

// continues says whether a collection may be a later one of the process: numbers and times only grow.
func (p *Process) continues(c Cycle) bool { return c.Number > p.last().Number && c.At >= p.last().At }

// entry is a collection and what the log calls its process.
type entry struct {
	cycle  Cycle
	source string
}

// split tells the processes apart: by the names that a log gives them, and by the numbers of their collections. A log
// that names only some of the lines names processes only if one process cannot have written all of them.
func split(all []entry) []Process {
	if len(all) == 0 {
		return nil
	}
	var cycles []Cycle
	named := true
	for _, e := range all {
		cycles = append(cycles, e.cycle)
		named = named && e.source != ""
	}
	if one := restarts(cycles); !named && len(one) == 1 {
		return one
	}
	var names []string
	byName := map[string][]Cycle{}
	for _, e := range all {
		if byName[e.source] == nil {
			names = append(names, e.source)
		}
		byName[e.source] = append(byName[e.source], e.cycle)
	}
	var processes []Process
	for _, name := range names {
		for i, p := range byNumber(byName[name]) {
			p.Name, p.Start = name, i+1
			processes = append(processes, p)
		}
	}
	return processes
}

// byNumber tells processes apart that the log does not: one after the other, or at the same time, whichever takes
// fewer.
func byNumber(cycles []Cycle) []Process {
	after, beside := restarts(cycles), interleaved(cycles)
	if len(beside) < len(after) {
		return beside
	}
	return after
}

// restarts takes each number or time that is not larger than the one before for a new process.
func restarts(cycles []Cycle) (all []Process) {
	for _, c := range cycles {
		if len(all) == 0 || !all[len(all)-1].continues(c) {
			all = append(all, Process{Start: len(all) + 1})
		}
		p := &all[len(all)-1]
		p.Cycles = append(p.Cycles, c)
	}
	return all
}

// interleaved gives each collection to the process that it continues best: the one with the fewest numbers left out, of
// several the one with as many processors and the nearest heap goal.
func interleaved(cycles []Cycle) (all []Process) {
	for _, c := range cycles {
		best := -1
		for i := range all {
			if all[i].continues(c) && (best < 0 || nearer(c, all[i].last(), all[best].last())) {
				best = i
			}
		}
		if best < 0 {
			best = len(all)
			all = append(all, Process{Start: best + 1})
		}
		all[best].Cycles = append(all[best].Cycles, c)
	}
	return all
}

// nearer says whether c is more likely to follow x than y.
func nearer(c, x, y Cycle) bool {
	otherProcs := func(z Cycle) int { return min(1, max(c.Procs-z.Procs, z.Procs-c.Procs)) }
	fromGoal := func(z Cycle) uint64 { return max(c.Goal, z.Goal) - min(c.Goal, z.Goal) }
	return cmp.Or(cmp.Compare(c.Number-x.Number, c.Number-y.Number), cmp.Compare(otherProcs(x), otherProcs(y)),
		cmp.Compare(fromGoal(x), fromGoal(y))) < 0
}
