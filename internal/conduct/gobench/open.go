package gobench

import (
	"iter"

	"github.com/gohone/hone/internal/judge/gate"
)

// OpenGate is a gate on a benchmark, or a measure of it, that was not compared, which is not a pass.
type OpenGate struct {
	Name string `json:"name"` // of the benchmark
	gate.Result
}

func openGate(name string, g gate.Gate, why string) OpenGate {
	return OpenGate{name, gate.Result{Gate: g, Variant: "B", Outcome: gate.Open, Reason: why}}
}

// openGates adds the gates on benchmarks that were not compared. One that is new on B has nothing to be held against,
// and one that skips itself on both sides is the same on both.
func (r *Result) openGates(gates []gate.Gate) {
	add := func(name, why string) {
		for _, g := range gates {
			r.OpenGates = append(r.OpenGates, openGate(name, g, why))
		}
	}
	for _, f := range r.Failures {
		if f.Name != "" {
			add(f.Name, "it failed on side "+f.Side)
		}
	}
	for _, u := range r.Untimed {
		add(u.Name, "its time does not grow with the number of operations")
	}
	for _, s := range r.SkippedOnOne() {
		add(s.Name, "it skips itself on side "+s.Side+" only")
	}
	for _, o := range r.Gone() {
		add(o.Name, goneText)
	}
}

// SkippedOnOne are the benchmarks that skip themselves on one side only.
func (r *Result) SkippedOnOne() (one []Skipped) {
	for _, s := range r.Skipped {
		if s.Side == "A" || s.Side == "B" {
			one = append(one, s)
		}
	}
	return one
}

// Gone are the benchmarks that only A has.
func (r *Result) Gone() (gone []OneSided) {
	for _, o := range r.OneSided {
		if o.Side == "A" {
			gone = append(gone, o)
		}
	}
	return gone
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
