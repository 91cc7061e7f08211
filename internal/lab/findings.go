package lab

import (
	"github.com/gohone/hone/internal/advice"
	"github.com/gohone/hone/internal/compare"
)

// ExplainByFindings fills in which findings came or went in each contest of a comparison. found are those of its runs, in
// their order; nil for a run of which nothing is known.
func ExplainByFindings(c *ComparisonRecord, found []*advice.Findings) {
	for i := range c.Contests {
		contest := &c.Contests[i]
		for _, v := range contest.Verdicts {
			if v.Measure.Key == compare.CPU.Key && contest.A < len(found) && contest.B < len(found) {
				contest.Findings, contest.FindingsLeft = advice.Changes(found[contest.A], found[contest.B], v.A, v.B)
			}
		}
	}
}
