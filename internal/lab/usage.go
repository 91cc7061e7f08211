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
	starts []*start
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
func beginUsage(ctx context.Context, group []*start, comparison bool) (*usageWindow, error) {
	w := &usageWindow{starts: group}
	for _, s := range group {
		usage, err := s.process.Usage()
		if err != nil {
			return nil, s.or(err)
		}
		s.openGauge(ctx)
		s.seen = coverage{}
		before := usageBefore{Usage: usage, samples: len(s.samples), moments: len(s.moments)}
		if comparison {
			before.runtime = s.readRuntime(ctx)
		}
		w.before = append(w.before, before)
	}
	return w, nil
}

// end adds what was used since begin to each trial, as a start of its own.
func (w *usageWindow) end(ctx context.Context) error {
	for i, s := range w.starts {
		before := w.before[i]
		usage, err := s.process.Usage()
		if err != nil {
			return s.or(err)
		}
		c := &s.consumed
		c.voluntary += usage.Voluntary - before.Voluntary
		c.involuntary += usage.Involuntary - before.Involuntary
		var reads, writes uint64
		var objects, bytes int64
		var answered, read uint64 // requests of all slices, of the moments whose runtime was read
		var took time.Duration
		for _, one := range s.samples[before.samples:] {
			answered += one.slice.Answered
			took += one.slice.Duration
			reads += one.counters.ReadCalls
			writes += one.counters.WriteCalls
		}
		if before.runtime != nil {
			s.between(before.runtime, s.readRuntime(ctx), moment{start: len(s.starts), at: before.runtime.at, took: took, requests: answered})
		}
		for _, m := range s.moments[before.moments:] {
			o, b := m.allocated()
			objects, bytes, read = objects+o, bytes+b, read+m.requests
			c.gcCycles += m.runtime.GCCycles
		}
		c.answered += answered
		c.read += read
		c.allocBytes += uint64(max(0, bytes))
		c.allocs += uint64(max(0, objects))
		whole := compare.Sample{}
		per := func(m compare.Measure, n, requests uint64, known bool) {
			if known && requests > 0 {
				whole[m.Key] = float64(n) / float64(requests)
			}
		}
		per(compare.ReadCalls, reads, answered, reads > 0)
		per(compare.WriteCalls, writes, answered, writes > 0)
		known := !s.seen.incomplete()
		per(compare.Bytes, uint64(max(0, bytes)), read, known)
		per(compare.Allocs, uint64(max(0, objects)), read, known)
		s.covered.merge(s.seen)
		if rss := usage.PeakRSS; rss > 0 {
			whole[compare.PeakRSS.Key] = float64(rss)
			s.peakRSS = max(s.peakRSS, uint64(rss))
		}
		if rss := usage.RSS; rss > 0 {
			whole[compare.Resident.Key] = float64(rss)
			s.resident = uint64(rss)
		}
		s.starts = append(s.starts, whole)
	}
	return nil
}
