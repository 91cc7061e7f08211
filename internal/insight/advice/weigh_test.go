package advice

import (
	"slices"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/production"
)

// cpuOf is a CPU profile in which functions have so many samples.
func cpuOf(samples map[string]int64) []prof.Capture {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"},
		{Type: "cpu", Unit: "nanoseconds"}}}
	for name, n := range samples {
		f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name}
		l := &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, l)
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{l},
			Value: []int64{n, n * 10_000_000}})
	}
	return []prof.Capture{{Kind: "cpu", Profile: p}}
}

// Findings are ranked by production; those at a place that it never spends in come last, wrong answers first.
func TestWeighFindings(t *testing.T) {
	at := func(rule, function string, m Measure) Finding {
		return Finding{Rule: rule, Place: code.Place{Function: function}, Costs: Costs{Measure: m}}
	}
	f := &Findings{Findings: []Finding{
		at("never", "main.never", CPU), at("settings", "", CPU), at("little", "main.little", CPU),
		at("much", "main.much", Latency), at("wrong", "main.never", Answers),
	}}
	production, run, err := production.NewShares(
		cpuOf(map[string]int64{"main.little": 100, "main.much": 700, "main.other": 200}),
		cpuOf(map[string]int64{"main.never": 60, "main.much": 40}))
	if err != nil {
		t.Fatal(err)
	}
	f.Weigh(production, run)
	var rules []string
	for _, one := range f.Findings {
		rules = append(rules, one.Rule)
	}
	if want := []string{"wrong", "much", "little", "settings", "never"}; !slices.Equal(rules, want) {
		t.Errorf("%q, want %q", rules, want)
	}
	if w := f.Findings[1].Weight; *w != (Weight{Production: 0.7, Run: 0.4}) {
		t.Errorf("%+v", w)
	}
	if w := f.Findings[4].Weight; *w != (Weight{Run: 0.6, AtMost: 0.003}) {
		t.Errorf("%+v", w)
	}
	if f.Findings[3].Weight != nil {
		t.Error("a finding of the whole program has a weight")
	}
}
