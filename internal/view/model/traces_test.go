package model

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
)

// The latency of a run's traces stands next to that of its load only with the words which is which.
func TestTracedLatencyOfARunIsToldFromThatOfTheLoad(t *testing.T) {
	load := &record.Latency{Count: 20_000, P50: 655_000, P99: 2_000_000}
	for _, c := range []struct {
		traced float64
		load   *record.Latency
		want   string
	}{
		{881e3, load, "; this is with traces: without them p50 is 655 us, and may consist of other parts"},
		{760e3, load, "; this is with traces: without them p50 is 655 us"},
		{400e3, load, "; this is with traces: without them p50 is 655 us, and may consist of other parts"},
		{660e3, load, ""},
		{881e3, nil, ""},
		{881e3, &record.Latency{}, ""},
		{0, load, ""},
	} {
		typical := &walltime.Cohort{Name: walltime.TypicalName, From: 45, LatencyNanos: c.traced}
		if got := TracedRun(typical, c.load); got != c.want {
			t.Errorf("%v next to %v: %q, want %q", c.traced, c.load, got, c.want)
		}
	}
	for traced, want := range map[float64]string{
		3.5e6: "", // a mean of slow requests is above the percentile from which on they are slow
		122e6: "; this is with traces: without them p99 is 2.00 ms, and may consist of other parts",
		0.5e6: "; this is with traces: without them p99 is 2.00 ms, and may consist of other parts",
	} {
		slow := &walltime.Cohort{Name: walltime.SlowName, From: 99, LatencyNanos: traced}
		if got := TracedRun(slow, load); got != want {
			t.Errorf("slow requests of %v: %q, want %q", traced, got, want)
		}
	}
}

// Causes that do not add up to a change are in no line, as they are in no picture.
func TestCausesThatDoNotAddUpAreNotNamed(t *testing.T) {
	change := diff.Change{Site: prof.Site{What: "main.work", Function: "main.work"}, Delta: -40, Share: -40}
	faster := judge.Verdict{Word: judge.Faster, Ratio: 0.9}
	for _, c := range []struct {
		explained, total float64
		named            bool
	}{{-40, -38, true}, {-40, -50, true}, {-40, -10, false}, {-40, 10, false}} {
		e := &diff.Explanation{Changes: []diff.Change{change}, Total: c.total, Explained: c.explained}
		e.Unexplained = e.Total - e.Explained
		if lines := strings.Join(explain(e, faster), "\n"); strings.Contains(lines, "main.work") != c.named {
			t.Errorf("%v of %v %%: %q, want it named: %v", c.explained, c.total, lines, c.named)
		}
	}
}
