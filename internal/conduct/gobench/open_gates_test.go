package gobench

import (
	"fmt"
	"testing"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
)

// Nothing that was not compared passes a gate of hone bench: what one side lacks is undecided. What is new on B, and
// what skips itself on both sides, has nothing to pass.
func TestGatesOnWhatWasNotMeasuredAreUndecided(t *testing.T) {
	r := &benchmarks.Result{
		Unchanged: []benchmarks.Unchanged{{Name: "Same",
			Gates: []gate.Result{{Outcome: gate.Passed}, {Outcome: gate.Passed}}}},
		Skipped: []benchmarks.Skipped{{Name: "SkipsOnA", Side: "A"}, {Name: "SkipsOnB", Side: "B"},
			{Name: "SkipsOnBoth", Side: "A and B"}},
		OneSided: []benchmarks.OneSided{{Name: "Gone", Side: "A"}, {Name: "New", Side: "B"}},
		Failures: []benchmarks.Failure{{Name: "Fails", Side: "B"}, {Package: "x", Side: "B"}},
		Untimed:  []benchmarks.Untimed{{Name: "IgnoresN", Side: "B"}},
	}
	var gates []gate.Gate
	for _, text := range []string{"time<+5%", "allocs<=0"} {
		g, err := gate.ParseOf(text, measure.OfBenchmarks)
		if err != nil {
			t.Fatal(err)
		}
		gates = append(gates, g)
	}
	findOpenGates(r, gates)
	if n := r.GateCount(); fmt.Sprint(n) != "map[passed:2 undecided:10]" {
		t.Errorf("gates %v, want two that pass and five benchmarks with two undecided ones each", n)
	}
	var names string
	for name, gates := range r.Gates {
		if gates[0].Outcome == gate.Open {
			names += name + " "
		}
	}
	if want := "Fails Fails IgnoresN IgnoresN SkipsOnA SkipsOnA SkipsOnB SkipsOnB Gone Gone "; names != want {
		t.Errorf("undecided: %s, want %s", names, want)
	}
}
