package gobench

import (
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/benchmarks"
)

// findOpenGates adds the gates on benchmarks that were not compared. One that is new on B has nothing to be held
// against, and one that skips itself on both sides is the same on both.
func findOpenGates(r *benchmarks.Result, gates []gate.Gate) {
	add := func(name, why string) {
		for _, g := range gates {
			r.OpenGates = append(r.OpenGates, benchmarks.NewOpenGate(name, g, why))
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
