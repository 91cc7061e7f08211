package lab

import (
	"context"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/subject"
)

// usageWindow reads what the subjects use up between two points in time. The readings
// cost the subjects CPU, so they are taken outside the timed slices.
type usageWindow struct {
	trials []*trial
	before []reading
}

type reading struct {
	usage   subject.Usage
	runtime subject.Runtime
	probed  bool
	samples int
}

func beginUsage(ctx context.Context, group []*trial) (*usageWindow, error) {
	w := &usageWindow{trials: group}
	for _, t := range group {
		r, err := t.read(ctx)
		if err != nil {
			return nil, t.or(err)
		}
		w.before = append(w.before, r)
	}
	return w, nil
}

// end adds what was used since begin to each trial, as a start of its own.
func (w *usageWindow) end(ctx context.Context) error {
	for i, t := range w.trials {
		before := w.before[i]
		after, err := t.read(ctx)
		if err != nil {
			return t.or(err)
		}
		c := &t.consumed
		c.voluntary += after.usage.Voluntary - before.usage.Voluntary
		c.involuntary += after.usage.Involuntary - before.usage.Involuntary
		start := compare.Sample{}
		var answered, reads, writes uint64
		for _, s := range t.samples[before.samples:] {
			answered += s.slice.Answered
			reads += s.counters.ReadCalls
			writes += s.counters.WriteCalls
		}
		c.answered += answered
		per := func(m compare.Measure, n uint64, known bool) {
			if known && answered > 0 {
				start[m.Key] = float64(n) / float64(answered)
			}
		}
		per(compare.ReadCalls, reads, reads > 0)
		per(compare.WriteCalls, writes, writes > 0)
		if before.probed && after.probed {
			c.probed = true
			bytes := after.runtime.AllocBytes - before.runtime.AllocBytes
			objects := after.runtime.AllocObjects - before.runtime.AllocObjects
			per(compare.Bytes, bytes, true)
			per(compare.Allocs, objects, true)
			c.allocBytes += bytes
			c.allocs += objects
			c.gcCycles += after.runtime.GCCycles - before.runtime.GCCycles
		}
		if rss := after.usage.PeakRSS; rss > 0 {
			start[compare.PeakRSS.Key] = float64(rss)
			t.peakRSS = max(t.peakRSS, uint64(rss))
		}
		t.starts = append(t.starts, start)
	}
	return nil
}

func (t *trial) read(ctx context.Context) (reading, error) {
	r := reading{samples: len(t.samples)}
	var err error
	if r.usage, err = t.process.Usage(); err != nil {
		return r, err
	}
	if socket := t.process.ProbeSocket(); socket != "" {
		if r.runtime, err = subject.ProbeAt(socket).Runtime(ctx); err != nil {
			t.warn("no allocation counts: %v", err)
			return r, nil
		}
		r.probed = true
	}
	return r, nil
}
