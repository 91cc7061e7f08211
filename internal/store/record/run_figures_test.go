package record

import (
	"math"
	"slices"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// Every measure has its place in the document of a run, in the order of measure.All: one that is added has one, too.
func TestEveryMeasureHasAPlaceInTheDocument(t *testing.T) {
	var places []judge.Measure
	for _, f := range figures {
		places = append(places, f.measure)
		r := Run{CPUNanos: &Interval{Value: 1}, Latency: &Latency{}, Streams: &Streams{}, Box: &Box{}}
		r.Box.CPUs = 1
		if f.set == nil {
			continue
		}
		f.set(&r, 7)
		if x := f.of(&r); x == nil || math.Abs(*x-7) > 1e-9 {
			t.Errorf("%s: 7 is stored, and %v is read", f.measure.Name, x)
		}
	}
	if !slices.Equal(places, measure.All) {
		t.Errorf("the document has places for %v", places)
	}
}

// A comparison and its runs have the same figures: B is where the change leads from A, and percentiles are those of
// all requests.
func TestRunsHaveTheFiguresOfTheirComparison(t *testing.T) {
	p99 := measure.OfOpenLoop[2]
	c := &Comparison{Contests: []Contest{{A: 0, B: 1, Verdicts: []judge.Verdict{
		{Measure: measure.CPU, A: 90, B: 70, Ratio: 0.8, Low: 0.7, High: 0.9},
		{Measure: p99, A: 75, B: 54, Ratio: 0.72, Low: 0.6, High: 0.85},
		{Measure: measure.HeapGrowth, A: 0, B: 230, Ratio: 230, Low: 220, High: 240},
	}}}}
	a := judge.Sample{"cpu": 100, "p99": 50, "growth": 0}
	b := judge.Sample{"cpu": 83, "p99": 45, "growth": 225}
	contest := &c.Contests[0]
	contest.TakeFigures(a, b)
	cpu, latency, kept := contest.Verdicts[0], contest.Verdicts[1], contest.Verdicts[2]
	if cpu.A != 100 || cpu.B != 80 || cpu.Ratio != 0.8 {
		t.Errorf("CPU time: %+v", cpu)
	}
	if latency.A != 50 || latency.B != 45 || latency.Ratio != 0.9 || latency.High < 0.9 || latency.Low != 0.6 {
		t.Errorf("p99: %+v", latency)
	}
	if kept.A != 0 || kept.B != 230 {
		t.Errorf("heap that is kept: %+v", kept)
	}
	runs := []Run{{CPUNanos: &Interval{Value: 100}}, {CPUNanos: &Interval{Value: 83, Low: 82, High: 84, Conf: 0.95}}}
	c.TakeFigures(runs)
	if got := *runs[1].CPUNanos; got.Value != 80 || got.Low != 80 || got.High != 84 {
		t.Errorf("B's document: %+v", got)
	}
	if got := runs[1].PerRequest.HeapKept; got == nil || *got != 230 {
		t.Errorf("B's document: %v", got)
	}
}
