package lab

import (
	"slices"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// What stored comparisons scattered is told by measure and by stage; documents of one start, or of an older hone, tell
// nothing.
func TestWhatStoredComparisonsScattered(t *testing.T) {
	verdict := func(m judge.Measure, variance float64, first *judge.FirstStage) judge.Verdict {
		return judge.Verdict{Measure: m, Scatter: stats.Scatter{Variance: variance, DF: 5}, First: first}
	}
	again := &judge.FirstStage{Again: true, Scatter: stats.Scatter{Variance: 3, DF: 4}}
	all := []record.Comparison{
		{Contests: []record.Contest{
			{Verdicts: []judge.Verdict{verdict(measure.Throughput, 9, nil), verdict(measure.CPU, 1, nil)}},
			{Verdicts: []judge.Verdict{verdict(measure.CPU, 2, again)}}}},
		{Contests: []record.Contest{{Verdicts: []judge.Verdict{{Measure: measure.CPU, Disturbed: 1}}}}},
	}
	known := Scattered(slices.Values(all), measure.CPU)
	if len(known.First) != 2 || known.First[0].Variance != 1 || known.First[1].Variance != 3 || len(known.Again) != 1 ||
		known.Again[0].Variance != 2 || known.Calm != 2 {
		t.Errorf("%+v", known)
	}
}
