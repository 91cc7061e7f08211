package conclusion

import (
	"fmt"
	"time"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

const (
	// servesTimes is how many times as much CPU time per second a program uses while B is
	// loaded as while A is, that works for B; servesSlices the share of B's slices in which it
	// works, at least, and servesBlocks the least number of blocks. A build beside the
	// measurement works in the slices of both.
	servesTimes, servesSlices, servesBlocks = 3, 0.5, 3
	// quietCores and caveatCores are for programs that cannot be told one by one: CPU time per
	// second of all that is not the measurement's. Where more than quietCores is used while A is
	// loaded, the CPUs may be full, and then others use what B leaves.
	quietCores, caveatCores = 0.25, 0.05
)

// elsewhereCaveat: a program that is not B's works while B is loaded, and not while A is.
func elsewhereCaveat(a, b *timed.Load) *record.Caveat {
	type use struct {
		name   string
		cpu    time.Duration
		slices int
		blocks map[int]bool
	}
	sum := func(samples []timed.Sample) (map[int]*use, time.Duration, uint64) {
		all, took, answered := map[int]*use{}, time.Duration(0), uint64(0)
		for _, s := range samples {
			took += s.Loaded.Duration
			answered += s.Loaded.Answered
			for _, n := range s.Neighbours {
				if all[n.PID] == nil {
					all[n.PID] = &use{name: n.Name, blocks: map[int]bool{}}
				}
				one := all[n.PID]
				one.cpu += n.CPU
				one.slices++
				one.blocks[s.Block] = true
			}
		}
		return all, took, answered
	}
	ofA, tookA, _ := sum(a.Samples)
	ofB, tookB, answered := sum(b.Samples)
	if tookA <= 0 || tookB <= 0 || answered == 0 {
		return nil
	}
	var most *use
	for pid, one := range ofB {
		with := float64(one.cpu) / float64(tookB)
		without := 0.0
		if x := ofA[pid]; x != nil {
			without = float64(x.cpu) / float64(tookA)
		}
		serves := with >= servesTimes*without && len(one.blocks) >= servesBlocks &&
			float64(one.slices) >= servesSlices*float64(len(b.Samples))
		if serves && (most == nil || one.cpu > most.cpu) {
			most = one
		}
	}
	if most == nil {
		return nil
	}
	return elsewhere(a, b, fmt.Sprintf("another program, %s, works while it is loaded", most.name),
		float64(most.cpu)/float64(answered))
}

// elsewhere is the caveat that so much CPU time per request, in nanoseconds, is used elsewhere;
// nil where that is little compared with what a request costs A.
func elsewhere(a, b *timed.Load, text string, nanos float64) *record.Caveat {
	cpuA, cpuB := cpuPerRequest(blockTotals(a.Samples)), cpuPerRequest(blockTotals(b.Samples))
	if nanos < caveatShare*cpuA {
		return nil
	}
	return &record.Caveat{Name: record.CaveatOthers, Text: text, Open: eaten(cpuA, cpuB, cpuA, cpuB+nanos),
		Detail: fmt.Sprintf("%s of CPU time per request; counted in, a request costs %s, A's %s",
			units.Nanos(nanos), units.Nanos(cpuB+nanos), units.Nanos(cpuA))}
}

// shortCaveat: while B is loaded the machine uses more CPU time that belongs to no program that
// hone sees, such as children that live for one request.
func shortCaveat(a, b *timed.Load) *record.Caveat {
	if elsewhereCaveat(a, b) != nil {
		return nil
	}
	quiet := meanCores(a.Samples)
	more, sure := above(byPair(a.Samples, b.Samples, timed.Sample.Cores))
	if !sure || more < caveatCores || quiet > quietCores {
		return nil
	}
	took, answered := time.Duration(0), uint64(0)
	for _, s := range b.Samples {
		took += s.Loaded.Duration
		answered += s.Loaded.Answered
	}
	if answered == 0 {
		return nil
	}
	return elsewhere(a, b, "programs that are not its own work while it is loaded",
		more*float64(took)/float64(answered))
}

// meanCores is over all slices. It is not a median, since the clock of the machine counts 10 ms.
func meanCores(samples []timed.Sample) float64 {
	sum, n := 0.0, 0
	for _, s := range samples {
		if x, ok := s.Cores(); ok {
			sum += x
			n++
		}
	}
	return sum / float64(max(1, n))
}
