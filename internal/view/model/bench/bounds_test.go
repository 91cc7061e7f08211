package bench

import (
	"fmt"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// excluding is a result of benchmarks B0, B1 and so on with these bounds in per cent; 0 is the same within 1 %.
func excluding(bounds ...float64) *benchmarks.Result {
	r := &benchmarks.Result{Delta: 0.01}
	for i, bound := range bounds {
		v := judge.Verdict{Measure: measure.OperationTime, Word: judge.NoChange, Excluded: bound / 100}
		if bound == 0 {
			v.Word = judge.Same
		}
		r.Benchmarks = append(r.Benchmarks,
			benchmarks.Benchmark{Name: fmt.Sprint("B", i), Verdicts: []judge.Verdict{v}})
	}
	return r
}

// Of many benchmarks the sentence has the bound that holds for all but those that are clearly wider, and names these.
func TestTheSentenceHasTheBoundOfMostBenchmarks(t *testing.T) {
	for want, bounds := range map[string][]float64{
		"4 benchmarks: none changed by more than 2.1 %":                      {1.2, 2.1, 1.9, 0},
		"5 benchmarks: none changed by more than 2.1 %, B1 by less than 6 %": {1.2, 6, 2.1, 1.9, 0},
		"6 benchmarks: none changed by more than 2.1 %, B5 by less than 9.1 %, B1 by less than 6 %": {1.2, 6, 2.1, 1.9, 0,
			9.1},
		"7 benchmarks: none changed by more than 2.1 %, 3 others by less than 9.1 %": {1.2, 6, 2.1, 1.9, 1.5,
			9.1, 5},
		"2 benchmarks: none changed by more than 4 %": {4, 3.1},
		"B0 is without a change over 1.9 %":           {1.9},
	} {
		got := Sentence(excluding(bounds...))
		if len(bounds) == 1 {
			want = "B is as fast as A: " + want
		}
		if got != want {
			t.Errorf("%v:\ngot  %s\nwant %s", bounds, got, want)
		}
	}
}

// Beside other verdicts the bounds stand with the number of benchmarks that have them.
func TestBoundsBesideOtherVerdicts(t *testing.T) {
	r := excluding(1.2, 6, 2.1, 1.9, 0, 0)
	r.Benchmarks[5].Verdicts[0].Word = judge.Undecided
	const want = "no verdict yet: 4 of 6 benchmarks without a change over 2.1 % (B1 6 %), 1 same within +-1 %, 1 undecided"
	if got := Sentence(r); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := Counts(r), "4 no change over 2.1 % (B1 6 %), 1 same, 1 undecided"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	r.Instructions = &benchmarks.InstructionCounter{}
	if got, want := Sentence(r), "no verdict yet: 4 of 6 benchmarks without a change over 2.1 % (B1 6 %), "+
		"1 same, 1 undecided"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
