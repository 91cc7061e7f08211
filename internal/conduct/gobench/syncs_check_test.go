package gobench

import (
	"testing"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// Fewer calls that wait for the disk take the verdict, unless operations that run at once may share them.
func TestABenchmarkThatSyncsLess(t *testing.T) {
	for _, c := range []struct {
		name       string
		per        [2]float64
		want, open bool
	}{
		{"as often", [2]float64{1, 1}, false, false},
		{"more often", [2]float64{1, 2}, false, false},
		{"not at all", [2]float64{1, 0}, true, true},
		{"once in eight operations", [2]float64{1, 0.125}, true, true},
		{"shared by two", [2]float64{1, 0.5}, true, false},
		{"the directory no more", [2]float64{2, 1}, true, false},
		{"a shared one, no more", [2]float64{0.05, 0}, true, true},
		{"at the start only", [2]float64{0.001, 0}, false, false},
	} {
		got := durableCaveat(judge.Verdict{Ratio: 0.5}, c.per, 2)
		if (len(got) > 0) != c.want || c.want && got[0].Open != c.open {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// A caveat of a gain that is not in each operation leaves the verdict, and takes a gate that demands a gain. One that
// is open takes both, and a note takes neither.
func TestWhatCaveatsTake(t *testing.T) {
	for _, c := range []struct {
		name        string
		open        bool
		word        judge.Word
		gain, limit gate.Outcome
	}{
		{benchmarks.CaveatCache, false, judge.Faster, gate.Open, gate.Passed},
		{benchmarks.CaveatDurable, false, judge.Faster, gate.Open, gate.Passed},
		{benchmarks.CaveatDurable, true, judge.Undecided, gate.Open, gate.Open},
		{benchmarks.CaveatOnce, false, judge.Faster, gate.Passed, gate.Passed},
		{benchmarks.CaveatStart, false, judge.Faster, gate.Passed, gate.Passed},
	} {
		out := benchmarks.Benchmark{Verdicts: []judge.Verdict{{Measure: measure.OperationTime, Word: judge.Faster}}}
		for _, text := range []string{"time<-10%", "time<+5%", "allocs<=-10%"} {
			g, err := gate.ParseOf(text, measure.OfBenchmarks)
			if err != nil {
				t.Fatal(err)
			}
			out.Gates = append(out.Gates, gate.Result{Gate: g, Outcome: gate.Passed})
		}
		putCaveats(&out, &bench{caveats: []record.Caveat{{Name: c.name, Open: c.open}}})
		if out.Verdicts[0].Word != c.word || out.Gates[0].Outcome != c.gain || out.Gates[1].Outcome != c.limit ||
			out.Gates[2].Outcome != gate.Passed {
			t.Errorf("%+v: %s, %+v", c, out.Verdicts[0].Word, out.Gates)
		}
	}
}
