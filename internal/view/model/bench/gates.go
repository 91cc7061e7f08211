package bench

import (
	"slices"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/judge"
)

// benchGates are the results of the gates on each benchmark: failed, undecided, passed.
func benchGates(r *benchmarks.Result) (all []model.GateLine) {
	for name, gates := range r.Gates {
		for _, g := range gates {
			one := model.GateOf(g, "")
			one.Text, one.Variant = name+": "+one.Text, name
			all = append(all, one)
		}
	}
	slices.SortStableFunc(all, model.WorstGate)
	return all
}

// GatesInAll is the outcome of the gates on all benchmarks.
func GatesInAll(r *benchmarks.Result) model.Statement { return model.GatesInAll(benchGates(r)) }

// BenchGate is one gate over all benchmarks: how many had each outcome.
type BenchGate struct {
	Text                 string // as its user wrote it
	Passed, Failed, Open int
	// Excluded is the change that is excluded of all benchmarks that passed, and the one with the widest interval; empty
	// where no interval says it.
	Excluded string
}

// Gates are the gates in the order in which they were asked for.
func Gates(r *benchmarks.Result) []BenchGate {
	var all []BenchGate
	count := func(g gate.Result) {
		i := slices.IndexFunc(all, func(of BenchGate) bool { return of.Text == g.Gate.Text })
		if i < 0 {
			i = len(all)
			all = append(all, BenchGate{Text: g.Gate.Text, Excluded: excludedByGate(r, g.Gate)})
		}
		switch g.Outcome {
		case gate.Passed:
			all[i].Passed++
		case gate.Failed:
			all[i].Failed++
		default:
			all[i].Open++
		}
	}
	for _, gates := range r.Gates {
		for _, g := range gates {
			count(g)
		}
	}
	return all
}

// excludedByGate says which change of its measure a gate that passed excludes: that at the worst end of the intervals of
// all benchmarks that passed it, and the limit at most.
func excludedByGate(r *benchmarks.Result, g gate.Gate) string {
	more, worst, name := g.Op == limit.Less || g.Op == limit.AtMost, 0.0, ""
	for _, b := range r.Benchmarks {
		passed := slices.ContainsFunc(b.Gates, func(of gate.Result) bool {
			return of.Gate.Text == g.Text && of.Outcome == gate.Passed
		})
		i := slices.IndexFunc(b.Verdicts, func(v judge.Verdict) bool { return v.Measure.Key == g.Measure.Key })
		if !passed || !g.Relative || i < 0 || !b.Verdicts[i].Bounded() {
			continue
		}
		end := min(b.Verdicts[i].High-1, g.Limit)
		if !more {
			end = max(b.Verdicts[i].Low-1, g.Limit)
		}
		if name == "" || (end > worst) == more {
			worst, name = end, b.Name
		}
	}
	side := "more"
	if !more {
		side = "less"
	}
	if name == "" {
		return ""
	}
	return units.Percent(worst) + " or " + side + " (" + name + ")"
}
