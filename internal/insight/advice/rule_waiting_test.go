package advice

import (
	"testing"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
)

// Work in the background that has the processor for milliseconds is named; other requests are where they did not come
// because of an answer. A few requests, short turns, and a machine on which other programs had the processors, make no
// finding.
func TestProcessorHeld(t *testing.T) {
	of := func(behind walltime.State, share, slowNanos float64, requests int) *walltime.Digest {
		at := walltime.Call{State: behind, Function: "main.rebuild", File: "main.go", Line: 40}
		part := walltime.Part{Label: walltime.Label{Call: walltime.Call{State: walltime.Runnable}, Behind: &at},
			Nanos: share * 0.8 * slowNanos}
		return &walltime.Digest{
			Cohorts: []walltime.Cohort{
				{Name: walltime.TypicalName, LatencyNanos: slowNanos / 5, Requests: 300},
				{Name: walltime.SlowName, LatencyNanos: slowNanos, Requests: requests, Parts: []walltime.Part{part}},
			},
			Causes: []walltime.Cause{{Part: part, Share: share}},
		}
	}
	digest := func(behind walltime.State, share float64) *walltime.Digest { return of(behind, share, 5e6, 20) }
	for name, c := range map[string]struct {
		waits *walltime.Digest
		open  bool
		want  int
		busy  bool
	}{
		"background":            {digest(walltime.Running, 0.7), false, 1, false},
		"little":                {digest(walltime.Running, 0.1), false, 0, false},
		"requests, open loop":   {digest(walltime.Requests, 0.7), true, 1, false},
		"requests, closed loop": {digest(walltime.Requests, 0.7), false, 0, false},
		"a busy machine":        {digest(walltime.Running, 0.7), false, 0, true},
		"short turns":           {of(walltime.Running, 0.7, 5e5, 20), false, 0, false},
		"three slow requests":   {of(walltime.Running, 0.7, 5e6, 3), false, 0, false},
	} {
		v := &facts.View{Waits: c.waits,
			Numbers: facts.Numbers{Load: facts.Load{OpenLoop: c.open}, Processors: facts.Processors{Disturbed: c.busy}}}
		all := find(t, v).Findings
		if len(all) != c.want {
			t.Errorf("%s: %s", name, listed(all))
		}
		for _, f := range all {
			if f.Rule != "processor-held" || f.Place.Function != "main.rebuild" || f.Measure != Tail {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}
