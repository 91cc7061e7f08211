package lab

import (
	"context"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/subject"
)

// usageWindow reads what the subjects use up between two points in time. The readings
// cost the subjects CPU, so they are taken outside the timed slices.
type usageWindow struct {
	trials []*trial
	before []usageBefore
}

type usageBefore struct {
	subject.Usage
	samples, moments int
	runtime          *reading // nil where it is read beside the load
}

// beginUsage opens the window. The runtime of a comparison's programs is read at its ends:
// a reading right before a slice of 25 ms costs 1.3 % of it, in caches and in what the
// probe has still to do (make overhead), and idle time in between makes the CPU cold.
func beginUsage(ctx context.Context, group []*trial, comparison bool) (*usageWindow, error) {
	w := &usageWindow{trials: group}
	for _, t := range group {
		usage, err := t.process.Usage()
		if err != nil {
			return nil, t.or(err)
		}
		t.openGauge(ctx)
		t.seen = coverage{}
		before := usageBefore{Usage: usage, samples: len(t.samples), moments: len(t.moments)}
		if comparison {
			before.runtime = t.readRuntime(ctx)
		}
		w.before = append(w.before, before)
	}
	return w, nil
}

// end adds what was used since begin to each trial, as a start of its own.
func (w *usageWindow) end(ctx context.Context) error {
	for i, t := range w.trials {
		before := w.before[i]
		usage, err := t.process.Usage()
		if err != nil {
			return t.or(err)
		}
		c := &t.consumed
		c.voluntary += usage.Voluntary - before.Voluntary
		c.involuntary += usage.Involuntary - before.Involuntary
		var reads, writes uint64
		var objects, bytes int64
		var answered, read uint64 // requests of all slices, of the moments whose runtime was read
		var loaded time.Duration
		for _, s := range t.samples[before.samples:] {
			answered += s.slice.Answered
			loaded += s.slice.Duration
			reads += s.counters.ReadCalls
			writes += s.counters.WriteCalls
		}
		if before.runtime != nil {
			t.between(before.runtime, t.readRuntime(ctx), moment{start: len(t.starts), at: before.runtime.at, took: loaded, requests: answered})
		}
		for _, m := range t.moments[before.moments:] {
			o, b := m.allocated()
			objects, bytes, read = objects+o, bytes+b, read+m.requests
			c.gcCycles += m.runtime.GCCycles
		}
		c.answered += answered
		c.read += read
		c.allocBytes += uint64(max(0, bytes))
		c.allocs += uint64(max(0, objects))
		start := compare.Sample{}
		per := func(m compare.Measure, n, requests uint64, known bool) {
			if known && requests > 0 {
				start[m.Key] = float64(n) / float64(requests)
			}
		}
		per(compare.ReadCalls, reads, answered, reads > 0)
		per(compare.WriteCalls, writes, answered, writes > 0)
		whole := !t.seen.incomplete()
		per(compare.Bytes, uint64(max(0, bytes)), read, whole)
		per(compare.Allocs, uint64(max(0, objects)), read, whole)
		t.covered.merge(t.seen)
		if rss := usage.PeakRSS; rss > 0 {
			start[compare.PeakRSS.Key] = float64(rss)
			t.peakRSS = max(t.peakRSS, uint64(rss))
		}
		if rss := usage.RSS; rss > 0 {
			start[compare.Resident.Key] = float64(rss)
			t.resident = uint64(rss)
		}
		t.starts = append(t.starts, start)
	}
	return nil
}
