package service

import (
	"cmp"
	"context"
	"time"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/load"
)

// stretch loads the program of a run for so many slices without a gap, and reads its
// counters whenever one of them is over. A slice's CPU time is what was used from its
// reading before to its own: what lies between the end of a slice and the reading is in
// the next one, and in the sum nothing is missing.
func (m *services) stretch(ctx context.Context, s *start, block, slices int) error {
	watch := s.watchRuntime(ctx, block)
	window := newConditionsWindow(m.Gauge)
	before, err := s.process.Counters()
	if err != nil {
		return s.or(err)
	}
	needsBefore := s.needsCPU(false)
	loading, stop := context.WithCancel(ctx)
	defer stop()
	var failed error
	each := func(slice load.Slice) {
		if failed != nil {
			return
		}
		after, err := s.process.Counters()
		if err != nil {
			failed = err
			stop()
			return
		}
		conditions := window.next()
		watch.next(ctx, slice.Answered)
		used, needsAfter := after.Since(before), s.needsCPU(false)
		beside := s.usedByNeeds(needsBefore, needsAfter)
		needsBefore = needsAfter
		s.timed.Keep(timed.Sample{
			Slice: compare.Slice{Place: compare.Place{Block: block, Round: len(s.timed.Samples)}}, Loaded: slice,
			Build: s.build, Counters: used,
			Conditions: conditions.WithOwn(s.ownCPU(slice) + used.AllCPU() + beside),
		})
		m.tick(s)
		s.tellFaults()
		// The load goes on: one at a time is the least that it notices.
		if failed = cmp.Or(s.Draft.HoldSlices(1, 0), s.compactAndHold()); failed != nil {
			stop()
		}
		before = after
	}
	// The last slice ends with a drain: what was used for a request that is answered is then
	// in the slices, and the answer, too.
	g := load.Stretch{
		Schedule: scheduleOf(*s.task, time.Duration(slices)*s.host.slicing.slice), Interval: s.host.slicing.slice,
		Drain: s.drain,
	}
	err = s.session.Run(loading, g, each)
	if failed == nil {
		failed = err
	}
	if failed != nil {
		return s.or(failed)
	}
	watch.end(ctx)
	return s.diedUnder(s.timed.Tally.Causes[load.Refused])
}
