package report

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/judge"
)

// trialOf is a round whose comparison has these verdicts for its settings.
func trialOf(settings []tuning.Setting, contests ...[]judge.Verdict) *tuning.Round {
	c := comparisonOf(compare.StoppedBudget, contests...)
	var sources []string
	r := &tuning.Round{Comparison: c.ID, Budget: c.Budget, Conf: 0.95,
		AsIs: tuning.AsIs{CPUNanos: contests[0][0].A, Readings: tuning.Readings{Cycles: 900}}}
	sources = append(sources, "./cmd/server")
	for i, s := range settings {
		sources = append(sources, "./cmd/server")
		e := tuning.Effect{Setting: s, Run: c.Runs[i+1], Verdicts: contests[i], Claim: tuning.None}
		switch v := contests[i][0]; {
		case math.IsInf(v.High, 1):
			e.Claim = tuning.NotKnown
		case v.High < 1:
			e.Claim = tuning.Less
		case v.Low > 1:
			e.Claim = tuning.More
		}
		r.Effects = append(r.Effects, e)
	}
	r.Outcome = &record.Outcome{Comparison: c, Runs: runsOf(sources...)}
	return r
}

func ablated() *tuning.Ablation {
	r := trialOf([]tuning.Setting{{Name: "compression"}, {Name: "logging"}, {Name: "audit"}},
		[]judge.Verdict{verdictOf(measure.CPU, judge.Faster, 812_000, 0.085, 0.092)},
		[]judge.Verdict{verdictOf(measure.CPU, judge.Undecided, 812_000, 0.98, 1.01)},
		[]judge.Verdict{{Measure: measure.CPU, A: 812_000, B: 812_000, Ratio: 1, High: math.Inf(1), Starts: 2}},
	)
	with, without := 0.55, 0.031
	cost := func(unit string, value, share, low, high float64) *tuning.Cost {
		return &tuning.Cost{Unit: unit, Value: value, Share: share, Low: low, High: high, Bounded: true, Shown: low > 0,
			Conf: 0.983}
	}
	return &tuning.Ablation{Schema: tuning.AblationSchema, Round: r, Features: []tuning.Feature{
		{Name: "compression", Run: "b1b2c3d1", Found: true, Claim: tuning.Less,
			CPU: cost("ns", 740_000, 0.911, 0.908, 0.915), Bytes: cost("B", 1.6e6, 0.99, 0.989, 0.991),
			P50: cost("ns", 700_000, 0.9, 0.88, 0.92), P99: cost("ns", 2e6, 0.5, -0.1, 0.7), CollectorWith: &with,
			CollectorWithout: &without, Different: "100 % longer"},
		{Name: "logging", Run: "c1b2c3d2", Claim: tuning.None, CPU: cost("ns", 4000, 0.005, -0.01, 0.02),
			CollectorWith: &with, CollectorWithout: &with},
		{Name: "audit", Run: "d1b2c3d3", Claim: tuning.NotKnown, CPU: &tuning.Cost{Unit: "ns", Conf: 0.983}},
	}}
}

func swept(limit uint64) *tuning.GCReport {
	faster, none := verdictOf(measure.CPU, judge.Faster, 812_000, 0.78, 0.82),
		verdictOf(measure.CPU, judge.Undecided, 812_000, 0.97, 1.02)
	r := trialOf([]tuning.Setting{{Name: "GOGC=400"}, {Name: "GOGC=50"}}, []judge.Verdict{faster},
		[]judge.Verdict{none})
	quarter, tenth := 0.25, 0.1
	read := func(collector *float64, peak, goal uint64) tuning.Readings {
		return tuning.Readings{Collector: collector, Cycles: 100, Starts: 8, Probed: true, PeakRSSBytes: peak,
			HeapGoalBytes: goal}
	}
	report := &tuning.GCReport{Schema: tuning.GCSchema, LimitBytes: limit, Rounds: []*tuning.Round{r},
		Points: []tuning.Point{
			{Name: "GOGC=50", CPUNanos: 808_000, CPU: &none, Claim: tuning.None, Readings: read(&quarter, 14e6, 8e6),
				NeedsBytes: 14e6, Front: true},
			{Name: "as it is", AsIs: true, CPUNanos: 812_000, Readings: read(&quarter, 20e6, 16e6), NeedsBytes: 20e6},
			{Name: "GOGC=400", CPUNanos: 650_000, CPU: &faster, Claim: tuning.Less, Readings: read(&tenth, 61e6, 60e6),
				NeedsBytes: 64e6, Front: true},
			{Name: "GOGC=off GOMEMLIMIT=460MiB", CPUNanos: 500_000, CPU: &faster, Claim: tuning.Less,
				Readings: read(nil, 90e6, 1<<63-1), NeedsBytes: 90e6,
				Unsettled: "3 collections in 8 starts: the heap hardly reached its goal"},
			{Name: "GOGC=800", CPUNanos: 640_000, CPU: &faster, Claim: tuning.Less,
				Readings:   read(&tenth, 120e6, 116e6),
				NeedsBytes: 120e6, FirstRound: true},
		}}
	report.Reason = "every step along the front takes less CPU time and more memory: with a limit (--memory-limit) hone recommends one"
	if limit > 0 {
		report.Recommended, report.Reason = "GOGC=400", "takes least CPU time of what keeps to the limit"
	}
	return report
}

func TestTrialReports(t *testing.T) {
	for name, write := range map[string]func(*strings.Builder) error{
		"ablation":         func(b *strings.Builder) error { return Ablation(b, ablated()) },
		"tune_gc":          func(b *strings.Builder) error { return GC(b, swept(0)) },
		"tune_gc_limit":    func(b *strings.Builder) error { return GC(b, swept(100e6)) },
		"ablation_invalid": func(b *strings.Builder) error { return Ablation(b, invalidAblation()) },
	} {
		b := &strings.Builder{}
		if err := write(b); err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join("testdata", name+".txt"), b.String())
		inASCII(t, b.String())
	}
}

// invalidAblation is one whose measurement is no good: no cost may be read off it.
func invalidAblation() *tuning.Ablation {
	a := ablated()
	for i := range a.Outcome.Comparison.Contests {
		a.Outcome.Comparison.Contests[i].Word = judge.Invalid
	}
	a.Outcome.Comparison.Reason = "the load generator was too busy"
	return a
}

// verified is a verification of two rounds.
func verified() *tuning.Verification {
	less, none, more := verdictOf(measure.CPU, judge.Faster, 812_000, 0.78, 0.82),
		verdictOf(measure.CPU, judge.Undecided, 812_000, 0.97, 1.02),
		verdictOf(measure.CPU, judge.Slower, 812_000, 1.03, 1.05)
	settings := []tuning.Setting{{Name: "GOGC=400", Kind: "gc"}, {Name: "PGO", Kind: "pgo"},
		{Name: "GOMAXPROCS=2", Kind: "gomaxprocs"}, {Name: "GOGC=off GOMEMLIMIT=80MiB", Kind: "gc"}}
	first := trialOf(settings, []judge.Verdict{less}, []judge.Verdict{none}, []judge.Verdict{more},
		[]judge.Verdict{less})
	second := trialOf(settings[:2], []judge.Verdict{less}, []judge.Verdict{none})
	first.Conf, second.Conf = 0.975, 0.975
	v := &tuning.Verification{Schema: tuning.VerificationSchema, Run: "f00d1234",
		Rounds: []*tuning.Round{first, second}, Skipped: []tuning.Skipped{
			{Name: "GOMAXPROCS=1", Reason: "it is so already: the program ran on 1 CPU(s)"},
			{Name: "GOEXPERIMENT=jsonv2", Reason: "encoding/json takes 0 % of the CPU time of the run, under 1 %"},
		}}
	for i, e := range []tuning.Effect{second.Effects[0], first.Effects[3], second.Effects[1], first.Effects[2]} {
		e.PeakRSSBytes = 61e6
		v.Tried = append(v.Tried, tuning.Tried{Effect: e, Round: 2 - i%2, PeakRSSAsIs: 20e6})
	}
	v.Tried[1].Unsettled = "3 collections in 8 starts: the heap hardly reached its goal"
	return v
}

// noGain is a verification that found none: it must not read like a promise.
func noGain() *tuning.Verification {
	v := verified()
	v.Rounds, v.Tried = v.Rounds[:1], v.Tried[3:]
	return v
}

// smaller is a verification of settings that shrink memory.
func smaller() *tuning.Verification {
	settings := []tuning.Setting{{Name: "GOGC=50", Kind: "memory", Does: "garbage"},
		{Name: "GOMEMLIMIT=74MiB", Kind: "memory", Does: "free spans kept"}}
	round := trialOf(settings, []judge.Verdict{verdictOf(measure.Resident, judge.Faster, 81.7e6, 0.84, 0.88),
		verdictOf(measure.CPU, judge.Slower, 812_000, 1.03, 1.05)},
		[]judge.Verdict{verdictOf(measure.Resident, judge.Undecided, 81.7e6, 0.96, 1.01)})
	v := &tuning.Verification{Schema: tuning.VerificationSchema, Run: "f00d1234", Single: true,
		Rounds: []*tuning.Round{round}}
	for _, e := range round.Effects {
		v.Tried = append(v.Tried, tuning.Tried{Effect: e, Round: 1})
	}
	return v
}

func TestVerifiedReports(t *testing.T) {
	for name, v := range map[string]*tuning.Verification{"verified": verified(), "verified_no_gain": noGain(), "verified_memory": smaller(),
		"verified_nothing": {Run: "f00d1234", Skipped: verified().Skipped}} {
		b := &strings.Builder{}
		if err := Verified(b, v); err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join("testdata", name+".txt"), b.String())
		inASCII(t, b.String())
	}
}
