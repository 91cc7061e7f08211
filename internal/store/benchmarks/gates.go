package benchmarks

import (
	"iter"

	"github.com/gohone/hone/internal/judge/gate"
)

// OpenGate is a gate on a benchmark, or a measure of it, that was not compared, which is not a pass.
type OpenGate struct {
	Name string `json:"name"` // of the benchmark
	gate.Result
}

func countOutcomes(gates iter.Seq2[string, []gate.Result]) map[gate.Outcome]int {
	n := map[gate.Outcome]int{}
	for _, all := range gates {
		for _, g := range all {
			n[g.Outcome]++
		}
	}
	return n
}

func yieldOpen(open []OpenGate, yield func(name string, gates []gate.Result) bool) {
	for _, g := range open {
		if !yield(g.Name, []gate.Result{g.Result}) {
			return
		}
	}
}

func NewOpenGate(name string, g gate.Gate, why string) OpenGate {
	return OpenGate{name, gate.Result{Gate: g, Variant: "B", Outcome: gate.Open, Reason: why}}
}
