package lab

import (
	"context"

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

// end adds what was used since begin to each trial.
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
		for _, s := range t.samples[before.samples:] {
			c.answered += s.slice.Answered
		}
		if before.probed && after.probed {
			c.probed = true
			c.allocBytes += after.runtime.AllocBytes - before.runtime.AllocBytes
			c.allocs += after.runtime.AllocObjects - before.runtime.AllocObjects
			c.gcCycles += after.runtime.GCCycles - before.runtime.GCCycles
		}
		t.peakRSS = max(t.peakRSS, uint64(max(0, after.usage.PeakRSS)))
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
