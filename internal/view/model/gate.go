package model

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

// gatesOf are the results of the gates of a comparison: failed, undecided, passed.
func gatesOf(c *record.Comparison) (all []GateLine) {
	for _, g := range c.Gates {
		on := ""
		if len(c.Contests) > 1 {
			on = " on " + g.Variant
		}
		all = append(all, GateOf(g, on))
	}
	slices.SortStableFunc(all, WorstGate)
	return all
}

// GatesInAll is the outcome of all gates, which the exit code follows:
//
//	REGRESSION: 1 of 5 gates failed
func GatesInAll(gates []GateLine) Statement {
	count := map[Tone]int{}
	for _, g := range gates {
		count[g.Tone]++
	}
	all := units.Plural(len(gates), "gate")
	switch {
	case count[Bad] > 0:
		return Statement{Text: fmt.Sprintf("REGRESSION: %d of %s failed", count[Bad], all), Tone: Bad}
	case count[Warning] > 0:
		return Statement{Text: fmt.Sprintf("UNDECIDED, not passed: %d of %s", count[Warning], all), Tone: Warning}
	}
	return Statement{Text: "passed " + all, Tone: Good}
}

// WorstGate orders gates: failed, undecided, passed.
func WorstGate(x, y GateLine) int {
	rank := func(g GateLine) int { return slices.Index([]Tone{Bad, Warning, Good}, g.Tone) }
	return cmp.Compare(rank(x), rank(y))
}

// GateOf is the result of a gate, in one line and by its parts; on is what the line says of where it was held. What is
// not passed stands out.
//
//	gate cpu<+2%: FAILED (change +3.0 ... +5.0 %)
func GateOf(g gate.Result, on string) GateLine {
	one := GateLine{Name: g.Gate.Text, Variant: g.Variant, Outcome: "UNDECIDED, not passed", Reason: g.Reason}
	one.Tone = Warning
	switch g.Outcome {
	case gate.Passed:
		one.Outcome, one.Tone = "passed", Good
	case gate.Failed:
		one.Outcome, one.Tone = "FAILED", Bad
	}
	one.Text = fmt.Sprintf("gate %s%s: %s (%s)", one.Name, on, one.Outcome, one.Reason)
	return one
}
