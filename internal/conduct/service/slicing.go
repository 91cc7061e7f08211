package service

import (
	"context"
	"time"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/load"
)

// How far a pair of slices scatters hardly depends on their length, so the shorter they are the more pairs there are,
// and the narrower the interval; until starting a slice, which finds an idle program, counts. On a machine of two
// shared CPUs (hone compare --set slice, --budget 12s, equal variants, means of three comparisons or six) the intervals
// had half-widths of 4.4 % with 10 ms, 7.1 % with 25 ms and 11.8 % with 5 ms for a web service, and 4.8 % with 10 ms
// and 9.5 % with 25 ms for a framed server. A web service with a median latency of 3 ms
// (bench/calibrate/subject/waiting; 25 November 2026, two shared CPUs, AMD EPYC; equal variants, 45 s, two comparisons
// each) had standard errors, scaled to 60 s, of 0.24 and 0.25 % with 5 ms, 0.15 and 0.22 % with 10 ms, 0.33 and 0.35 %
// with 25 ms.
const (
	shortestSlice = 10 * time.Millisecond
	longestSlice  = 250 * time.Millisecond
	// A slice is so many times as long as one of its answers takes, so that its drain is a small part.
	answersInTurn = 4
)

// A collector that takes much of the CPU time needs pairs of its own kind. A collection that falls into A's slice and
// not into B's is a difference between them, so a pair has several collections of each side. Slices of that length
// would leave the changes of the machine in the pair. So a pair is several short slices of each side, in turn; and
// since a collection that began in a slice goes on while the other side is loaded, the CPU time between the slices
// counts.
//
// A service whose collector takes a fifth of its CPU time and runs each 50 ms (bench/calibrate/subject/collected;
// machine and comparisons as above) had standard errors of 0.83 and 0.72 % with one slice of 200 ms, 0.41 and 0.33 %
// with four of 50 ms, 0.20 and 0.24 % with eight of 25 ms, 0.39 and 0.36 % with twenty of 10 ms. Of its CPU time 12 %
// was between the slices of 25 ms.
const (
	busyCollector      = 0.05 // share of the CPU time, at least
	collectedSlice     = 25 * time.Millisecond
	collectionsPerPair = 4
	longestPair        = 500 * time.Millisecond
)

// slicing is how the load of a comparison is cut.
type slicing struct {
	// slice is the length of a slice, perPair how many of each variant make a pair.
	slice   time.Duration
	perPair int
	// late says that the CPU time after the end of a slice counts, too.
	late bool
	// lag is how late the load generator may be with requests at a rate.
	lag time.Duration
}

// slicing is what serves a service best that was warmed up so. asked is the length of a slice that the user set, or 0;
// least that of the shortest that shows what is measured.
func (w warmUp) slicing(asked, least time.Duration) slicing {
	slice, pair := answersInTurn*w.median, time.Duration(0)
	if w.answered > 0 {
		slice = max(slice, timed.AnswersPerSlice*w.took/time.Duration(w.answered))
	}
	slice = max(least, min(max(shortestSlice, slice.Round(time.Millisecond)), longestSlice))
	busy := w.collections > 0 && w.collecting >= busyCollector
	if busy {
		slice, pair = max(slice, collectedSlice), min(longestPair,
			collectionsPerPair*w.took/time.Duration(w.collections))
	}
	if asked > 0 {
		slice = asked
	}
	return slicing{slice: slice, perPair: max(1, int((pair+slice-1)/slice)), late: busy,
		lag: load.LagAllowed(w.median)}
}

// with is what serves both services.
func (s slicing) with(o slicing) slicing {
	slice, pair := max(s.slice, o.slice), max(s.pair(), o.pair())
	return slicing{slice: slice, perPair: int((pair + slice - 1) / slice), late: s.late || o.late,
		lag: max(s.lag, o.lag)}
}

// pair is how long the slices of one variant are that make a pair.
func (s slicing) pair() time.Duration { return s.slice * time.Duration(s.perPair) }

// watchCollector asks the runtime what the collector did during the warm-up. A program without a probe does not
// tell.
func (s *start) watchCollector(ctx context.Context) {
	s.openGauge(ctx)
	r := s.readRuntime(ctx)
	if r == nil {
		return
	}
	if cpu := r.runtime.CPU; cpu.GC > 0 {
		s.warmed.collecting = float64(cpu.GC) / float64(cpu.GC+cpu.User)
	}
	s.warmed.collections = len(s.collectionEnds(ctx, s.warmed.began))
}

// slicing is what serves the program best, as another warm-up shows: the first one of a measurement finds caches cold,
// and its answers take up to three times as long as later ones. It is long enough to see a collector that is busy.
func (s *start) slicing(ctx context.Context) (slicing, error) {
	if s.task.WarmUp > 0 {
		if err := s.warmOnce(ctx, max(s.task.WarmUp, spec.ComparedWarmUp)); err != nil {
			return slicing{}, err
		}
	}
	s.watchCollector(ctx)
	return s.warmed.slicing(s.task.Slice, leastSlice(*s.task)), nil
}

// planBlocks decides by what the warm-ups of the first start saw how the load is cut into slices, and plans the first
// blocks by that and by what the latest comparison of this program saw. Variants that are not up together are cut as
// the first of them needs.
func (m *services) planBlocks(ctx context.Context, group []*start) error {
	if m.Referee == nil {
		return nil
	}
	if m.Task.OwnEngine() {
		var cut slicing
		for _, s := range group {
			own, err := s.slicing(ctx)
			if err != nil {
				return err
			}
			cut = cut.with(own)
		}
		m.slicing = cut
	}
	m.sizes = newBlockSizes(m.Task, m.slicing)
	m.sizes.plan(m.lastSpread())
	return nil
}
