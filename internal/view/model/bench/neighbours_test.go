package bench

import (
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// Reports of benchmarks say how many starts were disturbed, which benchmark falls into two groups, and what would narrow
// the widest interval.
func TestWhatNeighboursAndWidthsSay(t *testing.T) {
	narrow := judge.Verdict{Measure: measure.OperationTime, Word: judge.Same, Resolution: 0.005}
	wide := judge.Verdict{Measure: measure.OperationTime, Word: judge.Undecided, Resolution: 0.02,
		Modes: &judge.Modes{Low: 0.993, High: 1.079, LowStarts: 11, HighStarts: 33, P: 0.001},
		Width: &judge.Width{Parts: []judge.WidthPart{{Of: judge.WidthOfStarts, Share: 0.6},
			{Of: judge.WidthOfOrders, Share: 0.36}, {Of: judge.WidthOfPairs, Share: 0.04}}, Starts: 40, Resolution: 0.01}}
	r := &benchmarks.Result{Elapsed: time.Minute, Benchmarks: []benchmarks.Benchmark{
		{Name: "Scan", Rounds: 16, Verdicts: []judge.Verdict{narrow}},
		{Name: "Parse", Rounds: 44, Disturbed: 33, Verdicts: []judge.Verdict{wide}},
	}}
	var lines []string
	for _, n := range Notes(r) {
		lines = append(lines, n.String())
	}
	said := strings.Join(lines, "\n")
	for _, want := range []string{"width: Parse: 60 % starts, 36 % link orders; about 40 s more give +-1 %",
		"note: Parse: its starts fall into two groups: -0.70 % in 11 of them, and +7.9 % in 33.",
		"note: the machine was busy during 33 of 60 starts of both sides"} {
		if !strings.Contains(said, want) {
			t.Errorf("%s\nlacks %q", said, want)
		}
	}
}
