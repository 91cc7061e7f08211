package conclusion

import (
	"fmt"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// DoubtGates takes back that a gate on time has passed where A or the variant differs from itself by enough to carry
// the change over the limit. checks are those of each variant; nil where there is none.
func DoubtGates(c *record.Comparison, checks []*compare.SelfCheckResult) {
	for i := range c.Gates {
		g := &c.Gates[i]
		if g.Outcome != gate.Passed || g.Gate.Measure.Level == judge.PerStart {
			continue
		}
		for side, check := range checks {
			letter := string(rune('A' + side))
			if check == nil || check.Clean || side > 0 && letter != g.Variant || holdsBeyond(c, *g, *check) {
				continue
			}
			g.Outcome = gate.Open
			g.Reason = fmt.Sprintf("%s differs from itself (%s), so a change of this size says nothing: measure "+
				"again; %s",
				letter, units.Span(check.Low-1, check.High-1), g.Reason)
			break
		}
	}
}

// holdsBeyond says that a gate also passes if the change is off by as much as the variant differs from itself.
func holdsBeyond(c *record.Comparison, g gate.Result, check compare.SelfCheckResult) bool {
	off := max(check.High, 1/check.Low)
	for _, contest := range c.Contests {
		for _, v := range contest.Verdicts {
			if string(rune('A'+contest.B)) != g.Variant || v.Measure != g.Gate.Measure {
				continue
			}
			v.Low, v.High, v.First = v.Low/off, v.High*off, nil
			outcome, _ := g.Gate.Judge(v)
			return outcome == gate.Passed
		}
	}
	return false
}
