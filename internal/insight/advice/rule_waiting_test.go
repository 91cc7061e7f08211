package advice

import (
	"testing"

	"github.com/gohone/hone/internal/insight/walltime"
)

// Work in the background that has the processor is named; other requests are where they did not come because of an answer.
func TestProcessorHeld(t *testing.T) {
	digest := func(behind walltime.State, share float64) *walltime.Digest {
		at := walltime.Call{State: behind, Function: "main.rebuild", File: "main.go", Line: 40}
		part := walltime.Part{Label: walltime.Label{Call: walltime.Call{State: walltime.Runnable}, Behind: &at}, Nanos: share * 4e6}
		return &walltime.Digest{
			Cohorts: []walltime.Cohort{{Name: walltime.TypicalName, LatencyNanos: 1e6}, {Name: walltime.SlowName, LatencyNanos: 5e6, Parts: []walltime.Part{part}}},
			Causes:  []walltime.Cause{{Part: part, Share: share}},
		}
	}
	for name, c := range map[string]struct {
		waits *walltime.Digest
		open  bool
		want  int
	}{
		"background":            {digest(walltime.Running, 0.7), false, 1},
		"little":                {digest(walltime.Running, 0.1), false, 0},
		"requests, open loop":   {digest(walltime.Requests, 0.7), true, 1},
		"requests, closed loop": {digest(walltime.Requests, 0.7), false, 0},
	} {
		v := &View{Waits: c.waits, Numbers: Numbers{OpenLoop: c.open}}
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
