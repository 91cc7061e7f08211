package lab

import (
	"fmt"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// doubtGates takes back that a gate on time has passed where A or the variant differs from itself: what the machine
// does from slice to slice is no smaller then than what the gate is about. checks are those of each variant; nil where
// there is none.
func (c *ComparisonRecord) doubtGates(checks []*compare.SelfCheckResult) {
	for i := range c.Gates {
		g := &c.Gates[i]
		if g.Outcome != gate.Passed || g.Gate.Measure.Level == judge.PerStart {
			continue
		}
		for side, check := range checks {
			letter := string(rune('A' + side))
			if check == nil || check.Clean || side > 0 && letter != g.Variant {
				continue
			}
			g.Outcome = gate.Open
			g.Reason = fmt.Sprintf("%s differs from itself (%s), so a change of this size says nothing: measure again; %s",
				letter, units.Span(check.Low-1, check.High-1), g.Reason)
			break
		}
	}
}
