package advice

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
)

// What withholds the CPU is a finding where it makes requests slow, each by its name. What the machine does is a note.
// Short waits, small shares and few requests are neither.
func TestCPUWithheld(t *testing.T) {
	of := func(share, slowNanos float64, requests int, states ...walltime.State) *walltime.Digest {
		slow := walltime.Cohort{Name: walltime.SlowName, LatencyNanos: slowNanos, Requests: requests}
		for _, s := range states {
			slow.Parts = append(slow.Parts,
				walltime.Part{Label: walltime.Label{Call: walltime.Call{State: s}}, Nanos: share * slowNanos})
		}
		typical := walltime.Cohort{Name: walltime.TypicalName, LatencyNanos: slowNanos / 9, Requests: 300}
		d := &walltime.Digest{Cohorts: []walltime.Cohort{typical, slow}}
		d.Causes, d.Outside = walltime.Causes(&typical, &slow)
		return d
	}
	routes := of(0.6, 2e7, 20, walltime.Halted) // one finding for all of them
	for _, name := range []string{"GET /a", "GET /b"} {
		routes.Endpoints = append(routes.Endpoints, walltime.Endpoint{Name: name, Requests: 50,
			Typical: routes.Cohorts[0], Slow: routes.Cohorts[1], Causes: routes.Causes})
	}
	for name, c := range map[string]struct {
		waits *walltime.Digest
		want  []string
		noted string
	}{
		"a neighbour": {of(0.6, 2e7, 20, walltime.Preempted), nil, "other programs have the CPU for 60 % of their time"},
		"the host":    {of(0.6, 2e7, 20, walltime.Stolen), nil, "the host of the virtual machine"},
		"two routes":  {routes, []string{"slow requests wait for 60 % of their time"}, ""},
		"a signal":    {of(0.6, 2e7, 20, walltime.Halted), []string{"a signal"}, ""},
		"a quota":     {of(0.6, 2e7, 20, walltime.Throttled), []string{"the quota"}, ""},
		"two of them": {of(0.4, 2e7, 20, walltime.Throttled, walltime.Halted),
			[]string{"the quota", "a signal"}, ""},
		"one of each": {of(0.4, 2e7, 20, walltime.Preempted, walltime.Halted), []string{"a signal"},
			"other programs"},
		"little of the time":  {of(0.1, 2e7, 20, walltime.Halted, walltime.Preempted), nil, ""},
		"wake-ups":            {of(0.6, 9e5, 20, walltime.Halted), nil, ""},
		"three slow requests": {of(0.6, 2e7, 3, walltime.Halted), nil, ""},
		"it waits to run":     {of(0.6, 2e7, 20, walltime.Runnable), nil, ""},
	} {
		found := find(t, &facts.View{Waits: c.waits})
		all := found.Findings
		if notes := strings.Join(found.Missing, "; "); !strings.Contains(notes, c.noted) ||
			c.noted == "" && strings.Contains(notes, "wait for") {
			t.Errorf("%s: notes %q", name, notes)
		}
		if len(all) != len(c.want) {
			t.Errorf("%s: %s", name, listed(all))
			continue
		}
		for i, f := range all {
			if f.Rule != "cpu-withheld" || !strings.Contains(f.Title, c.want[i]) || f.Measure != Tail ||
				f.Change == "" || f.Of != "" || f.Verify != "" {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}
