package report

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
)

// gates writes what became of each gate, the failed ones first.
func gates(b *strings.Builder, c *lab.ComparisonRecord) {
	for _, g := range SortedGates(c) {
		fmt.Fprintln(b, Gate(g, len(c.Contests) > 1))
	}
}

// SortedGates are the results of a comparison, failed, undecided, passed.
func SortedGates(c *lab.ComparisonRecord) []compare.GateResult {
	var all []compare.GateResult
	for _, outcome := range []compare.Outcome{compare.Failed, compare.Open, compare.Passed} {
		for _, g := range c.Gates {
			if g.Outcome == outcome {
				all = append(all, g)
			}
		}
	}
	return all
}

// Gate is the result of a gate in one line, with the variant's letter where there are
// several. What is not passed stands out.
//
//	gate cpu<+2%: FAILED (change +3.0 ... +5.0 %)
func Gate(g compare.GateResult, several bool) string {
	name := g.Gate.Text
	if several {
		name += " on " + g.Variant
	}
	return fmt.Sprintf("gate %s: %s (%s)", name, outcomeWord(g.Outcome), g.Reason)
}

// outcomeWord is an outcome as it is printed.
func outcomeWord(o compare.Outcome) string {
	switch o {
	case compare.Passed:
		return "passed"
	case compare.Failed:
		return "FAILED"
	default:
		return "UNDECIDED, not passed"
	}
}
