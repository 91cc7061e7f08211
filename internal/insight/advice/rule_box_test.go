package advice

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
)

// What the rules of a box say follows from its numbers.
func TestRulesOfABox(t *testing.T) {
	for _, c := range []struct {
		trial  string
		change func(*facts.Box, *facts.Numbers)
		rule   string
		says   string // empty: the rule is silent
	}{
		{"throttled", func(b *facts.Box, _ *facts.Numbers) { b.Throttled = 0.384 }, "throttled",
			"GOMAXPROCS is 2 for a limit of 0.5 CPUs: throttled 38 % of the time"},
		{"throttled", func(b *facts.Box, _ *facts.Numbers) { b.Throttled = 0.04 }, "throttled", ""},
		{"throttled", func(b *facts.Box, _ *facts.Numbers) { b.CPUs = 1.5 }, "throttled", ""}, // two threads have room
		{"throttled", func(_ *facts.Box, n *facts.Numbers) { n.MaxProcs = 64 }, "throttled", "GOMAXPROCS is 64"},
		{"memory-limit", func(*facts.Box, *facts.Numbers) {}, "memory-limit",
			"the collector does not know the memory limit of 80 MiB, of which 6"},
		{"memory-limit", func(b *facts.Box, _ *facts.Numbers) { b.MemoryLimit = 70 << 20 }, "memory-limit", ""},
		{"memory-limit", func(b *facts.Box, _ *facts.Numbers) { b.MemoryLimit = 512 << 20 }, "memory-limit",
			"GOMEMLIMIT is 512 MiB, and the memory limit is 80 MiB"},
		{"memory-limit", func(b *facts.Box, _ *facts.Numbers) { b.PeakMemory = 30 << 20 }, "memory-limit", ""},
	} {
		v := recordedView(t, c.trial, "speaks.view")
		c.change(v.Numbers.Box, &v.Numbers)
		said := ""
		for _, f := range find(t, v).Findings {
			if f.Rule == c.rule {
				said = f.Title
			}
		}
		if (said == "") != (c.says == "") || !strings.HasPrefix(said, c.says) {
			t.Errorf("%s: said %q, want %q", c.trial, said, c.says)
		}
	}
}

// What throttling costs a request is what the trace shows, and not the part of the time in which the quota held the
// program back. The change is a setting, so the command that proves it compares the program with itself, and sets it
// for B.
func TestWhatThrottlingCosts(t *testing.T) {
	cohort := func(name string, latency, held float64) walltime.Cohort {
		part := walltime.Part{Label: walltime.Label{Call: walltime.Call{State: walltime.Throttled}}, Nanos: held}
		return walltime.Cohort{Name: name, LatencyNanos: latency, Parts: []walltime.Part{part}}
	}
	for name, c := range map[string]struct {
		waits   *walltime.Digest
		measure Measure
		cost    float64
		whole   float64
	}{
		"no trace": {nil, Tail, 0, 0},
		"slow requests": {&walltime.Digest{Cohorts: []walltime.Cohort{
			cohort(walltime.TypicalName, 6e6, 0), cohort(walltime.SlowName, 68.5e6, 61.65e6),
		}}, Tail, 0.9, 68.5e6},
		"all requests": {&walltime.Digest{Cohorts: []walltime.Cohort{
			cohort(walltime.TypicalName, 60e6, 57e6), cohort(walltime.SlowName, 80e6, 40e6),
		}}, Latency, 0.95, 60e6},
	} {
		v := recordedView(t, "throttled", "speaks.view")
		v.Numbers.Box.Throttled, v.Waits, v.Compare = 0.32, c.waits, "hone compare ."
		v.Setting = func(entry string) string { return "hone compare . . --env B:" + entry }
		one := ruled(t, v, "throttled")
		if one.Measure != c.measure || one.Cost != c.cost || one.Whole != c.whole || one.Absolute != c.cost*c.whole ||
			one.Gain != 0 {
			t.Errorf("%s: %+v", name, one)
		}
		const proof = "hone compare . . --env B:GOMAXPROCS=1"
		if one.Verify != proof || !strings.HasSuffix(one.Title, "throttled 32 % of the time") {
			t.Errorf("%s: %s; %s", name, one.Title, one.Verify)
		}
		v.Compare = "" // a run of a stranger
		if one := ruled(t, v, "throttled"); one.Verify != "" {
			t.Errorf("%s: %s", name, one.Verify)
		}
	}
	v := recordedView(t, "memory-limit", "speaks.view")
	v.Compare = "hone compare ."
	v.Setting = func(entry string) string { return "B:" + entry }
	one, peak := ruled(t, v, "memory-limit"), float64(v.Numbers.Box.PeakMemory)
	if one.Verify != "B:GOMEMLIMIT=72MiB" || one.Absolute != peak {
		t.Errorf("%+v", one)
	}
}

// ruled is the finding of a rule; the test ends without one.
func ruled(t *testing.T, v *facts.View, rule string) Finding {
	t.Helper()
	for _, f := range find(t, v).Findings {
		if f.Rule == rule {
			return f
		}
	}
	t.Fatalf("no finding of %s", rule)
	return Finding{}
}
