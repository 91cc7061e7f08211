package bench

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// Rows of benchmarks stand by measure, what got worse first. Of a measure of which a benchmark has nothing there is no
// mean.
func TestBenchmarksStandByMeasureTheWorstFirst(t *testing.T) {
	verdict := func(m judge.Measure, word judge.Word, a, ratio float64) judge.Verdict {
		return judge.Verdict{Measure: m, Word: word, A: a, B: a * ratio, Ratio: ratio}
	}
	one := func(name string, word judge.Word, ratio float64) benchmarks.Benchmark {
		return benchmarks.Benchmark{Package: "p", Name: name, Verdicts: []judge.Verdict{
			verdict(measure.OperationTime, word, 100, ratio), verdict(measure.OperationAllocs, judge.Same, 0, 1)}}
	}
	r := &benchmarks.Result{
		Benchmarks: []benchmarks.Benchmark{one("Same", judge.Same, 1), one("Better", judge.Faster, 0.5),
			one("Bad", judge.Slower, 1.1), one("Worst", judge.Slower, 3)},
		Geomean: []judge.Verdict{verdict(measure.OperationTime, judge.Undecided, 100, 1.1),
			verdict(measure.OperationAllocs, judge.Same, 0.01, 1)},
	}
	var names []string
	for _, row := range benchMeasures(r) {
		names = append(names, row.Name)
	}
	time, allocs := measure.OperationTime.Name, measure.OperationAllocs.Name
	want := "Worst " + time + "|Bad " + time + "|Better " + time + "|Same " + time + "|geometric mean of all, " + time +
		"|Same " + allocs + "|Better " + allocs + "|Bad " + allocs + "|Worst " + allocs
	if got := strings.Join(names, "|"); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
