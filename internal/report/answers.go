package report

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/lab"
)

// answers says of each variant whether it answers as A does.
func answers(c *lab.ComparisonRecord, runs []lab.Record) []string {
	var lines []string
	for _, contest := range c.Contests {
		a := contest.Answers
		switch {
		case a == nil:
		case a.Same || a.Compared == 0:
			lines = append(lines, "answers: "+about(contest.B, len(c.Contests))+a.String())
			if mayBeCached(contest) && len(runs) > 0 && strings.HasPrefix(runs[0].Target, "http") {
				lines = append(lines, fmt.Sprintf("note: all requests are the same one, so that %s would look like this with an answer from a cache, too; "+
					"--feed and {name} in the target vary them", letter(contest.B)))
			}
		default:
			line := fmt.Sprintf("warning: %s's answers differ: %s", letter(contest.B), a.How())
			if example := a.Example(); example != "" {
				line += "; first: " + example
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// muchFaster is the part of A's CPU time below which a variant may do without the work.
const muchFaster = 0.5

// mayBeCached says that a variant is far faster at one and the same request with a fixed answer.
func mayBeCached(c lab.Contest) bool {
	v, ok := gated(c)
	return ok && v.Word == compare.Faster && v.Ratio < muchFaster && c.Answers.Requests == 1 && c.Answers.Volatile == 0
}

// besides is the end of a sentence on a contest: what else changed from A to B, so that a
// variant that does less, or does it later or elsewhere, is not plainly faster. It is empty
// where nothing else is known to have changed.
func besides(c lab.Contest, d detail) string {
	parts := caveatTexts(c, d)
	if len(parts) == 0 {
		return ""
	}
	return "; but " + strings.Join(parts, ", and ")
}

// caveatTexts are the parts of besides. Those of a variant that is slower anyway say only whether it answers alike.
func caveatTexts(c lab.Contest, d detail) []string {
	var parts []string
	if a := c.Answers; a != nil && a.Compared > 0 && !a.Same {
		parts = append(parts, "its answers differ ("+a.How()+")")
	}
	for _, caveat := range c.Caveats {
		switch {
		case c.Word == compare.Slower:
		case d == full:
			parts = append(parts, fmt.Sprintf("%s (%s)", caveat.Text, caveat.Detail))
		default:
			parts = append(parts, caveat.Text)
		}
	}
	return parts
}
