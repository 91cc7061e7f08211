package model

import (
	"testing"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// That heap is kept for good is said only where the source shows no end of it.
func TestGrowthIsNotCalledALeakBeforeItIsKnown(t *testing.T) {
	heap := judge.Verdict{Measure: measure.HeapGrowth, Word: judge.Slower, A: 0, B: 579, Ratio: 579, Low: 560,
		High: 598}
	routines := judge.Verdict{Measure: measure.GoroutineGrowth, Word: judge.Slower, A: 0, B: 1, Ratio: 10_000,
		Low:  9900,
		High: 10_100}
	descriptors := judge.Verdict{Measure: measure.DescriptorGrowth, Word: judge.Undecided, A: 0, B: 0.5, Ratio: 5000,
		Starts: 4}
	endless := []advice.Change{{Rule: "unbounded-growth", Word: advice.New, Measure: advice.Growing, Endless: true}}
	less := heap
	less.Word, less.A, less.B, less.Ratio = judge.Faster, 579, 0, 1./579
	for name, c := range map[string]struct {
		contest record.Contest
		want    string
	}{
		"so far": {record.Contest{B: 1, Verdicts: []judge.Verdict{heap}, RequestsPerStart: 6691},
			"B grows so far: 579 B of heap per request over 6,691 requests a start, A none; a cache of more than that looks the same"},
		"without end": {record.Contest{B: 1, Verdicts: []judge.Verdict{heap}, RequestsPerStart: 6691,
			Findings: endless},
			"B keeps 579 B of heap per request, A none"},
		"A had it": {record.Contest{B: 1, Verdicts: []judge.Verdict{less}, RequestsPerStart: 6691, Findings: endless},
			"A grows so far: 579 B of heap per request over 6,691 requests a start, B none; a cache of more than that looks the same"},
		"goroutines": {record.Contest{B: 1, Verdicts: []judge.Verdict{routines}},
			"B keeps 1.00 goroutines per request, A none"},
		"too few starts": {record.Contest{B: 1, Verdicts: []judge.Verdict{descriptors}},
			"B keeps 0.500 descriptors per request, A none (4 starts, too few to be sure)"},
	} {
		if got := keeps(c.contest); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
	if row := MeasureOf(heap); row.Change.Text != "+578 B" || row.Interval != "+559 ... +597 B" {
		t.Errorf("change %s, interval %s", row.Change.Text, row.Interval)
	}
}
