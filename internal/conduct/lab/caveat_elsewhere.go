package lab

import (
	"fmt"
	"time"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/units"
)

// neighbour is a program that is not part of the measurement, and the CPU time that it used from
// the end of one slice to the end of the next.
type neighbour struct {
	pid  int
	name string
	cpu  time.Duration
}

// neighbourLeast is the CPU time of a neighbour in one slice that is kept: less is a program that
// wakes up now and then.
const neighbourLeast = 50 * time.Microsecond

func neighboursOf(n *machine.Neighbours) (all []neighbour) {
	for pid, cpu := range n.Next() {
		if cpu >= neighbourLeast {
			all = append(all, neighbour{pid, n.Name(pid), cpu})
		}
	}
	return all
}

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
func elsewhereCaveat(a, b *service) *record.Caveat {
	type use struct {
		name   string
		cpu    time.Duration
		slices int
		blocks map[int]bool
	}
	sum := func(samples []sample) (map[int]*use, time.Duration, uint64) {
		all, took, answered := map[int]*use{}, time.Duration(0), uint64(0)
		for _, s := range samples {
			took += s.slice.Duration
			answered += s.slice.Answered
			for _, n := range s.neighbours {
				if all[n.pid] == nil {
					all[n.pid] = &use{name: n.name, blocks: map[int]bool{}}
				}
				one := all[n.pid]
				one.cpu += n.cpu
				one.slices++
				one.blocks[s.Block] = true
			}
		}
		return all, took, answered
	}
	ofA, tookA, _ := sum(a.timed.samples)
	ofB, tookB, answered := sum(b.timed.samples)
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
			float64(one.slices) >= servesSlices*float64(len(b.timed.samples))
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
func elsewhere(a, b *service, text string, nanos float64) *record.Caveat {
	cpuA, cpuB := cpuPerRequest(besides(a.timed.samples)), cpuPerRequest(besides(b.timed.samples))
	if nanos < caveatShare*cpuA {
		return nil
	}
	return &record.Caveat{Name: record.CaveatOthers, Text: text,
		Detail: fmt.Sprintf("%s of CPU time per request; counted in, a request costs %s, A's %s",
			units.Nanos(nanos), units.Nanos(cpuB+nanos), units.Nanos(cpuA))}
}

// shortCaveat: while B is loaded the machine uses more CPU time that belongs to no program that
// hone sees, such as children that live for one request.
func shortCaveat(a, b *service) *record.Caveat {
	if elsewhereCaveat(a, b) != nil {
		return nil
	}
	quiet := meanCores(a.timed.samples)
	more, sure := above(byPair(a.timed.samples, b.timed.samples, sample.cores))
	if !sure || more < caveatCores || quiet > quietCores {
		return nil
	}
	took, answered := time.Duration(0), uint64(0)
	for _, s := range b.timed.samples {
		took += s.slice.Duration
		answered += s.slice.Answered
	}
	if answered == 0 {
		return nil
	}
	return elsewhere(a, b, "programs that are not its own work while it is loaded",
		more*float64(took)/float64(answered))
}

// cores is the CPU time per second that other programs used during a slice; false if that is not
// known.
func (s sample) cores() (float64, bool) {
	if s.conditions.Others == nil || s.conditions.Elapsed <= 0 {
		return 0, false
	}
	return float64(*s.conditions.Others) / float64(s.conditions.Elapsed), true
}

// meanCores is over all slices. It is not a median, since the clock of the machine counts 10 ms.
func meanCores(samples []sample) float64 {
	sum, n := 0.0, 0
	for _, s := range samples {
		if x, ok := s.cores(); ok {
			sum += x
			n++
		}
	}
	return sum / float64(max(1, n))
}
