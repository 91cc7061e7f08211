package lab

import (
	"cmp"
	"context"
	"time"

	"github.com/gohone/hone/load"
)

// stretch loads the program of a run for so many slices without a gap, and reads its
// counters whenever one of them is over. A slice's CPU time is what was used from its
// reading before to its own: what lies between the end of a slice and the reading is in
// the next one, and in the sum nothing is missing.
func (m *measurement) stretch(ctx context.Context, t *trial, block, slices int) error {
	watch := t.watchRuntime(ctx, block)
	quiet := m.gauge.Read()
	before, err := t.process.Counters()
	if err != nil {
		return t.or(err)
	}
	loading, stop := context.WithCancel(ctx)
	defer stop()
	var failed error
	each := func(s load.Slice) {
		if failed != nil {
			return
		}
		after, err := t.process.Counters()
		if err != nil {
			failed = err
			stop()
			return
		}
		now := m.gauge.Read()
		watch.next(ctx, s.Answered)
		used := after.Since(before)
		t.keep(sample{
			block: block, round: len(t.samples), slice: s, build: t.build(), counters: used,
			conditions: now.Since(quiet).WithOwn(s.WorkerCPU + used.CPU),
		})
		m.tick(t)
		t.tellFaults()
		// The load goes on: one at a time is the least that it notices.
		if failed = cmp.Or(t.draft.HoldSlices(1, 0), t.boilAndHold()); failed != nil {
			stop()
		}
		before, quiet = after, now
	}
	// The last slice ends with a drain: what was used for a request that is answered is then
	// in the slices, and the answer, too.
	g := load.Stretch{
		Schedule: t.request.schedule(time.Duration(slices) * t.request.Slice), Interval: t.request.Slice, Drain: t.quiet,
	}
	err = t.session.Run(loading, g, each)
	if failed == nil {
		failed = err
	}
	if failed != nil {
		return t.or(failed)
	}
	watch.end(ctx)
	return t.died()
}
