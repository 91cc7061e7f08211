package report

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/lab"
)

// answers says of each variant whether it answers as A does.
func answers(c *lab.ComparisonRecord) []string {
	var lines []string
	for _, contest := range c.Contests {
		a := contest.Answers
		switch {
		case a == nil:
		case a.Same || a.Compared == 0:
			lines = append(lines, "answers: "+about(contest.B, len(c.Contests))+a.String())
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

// besides is the end of a sentence on a contest: what else changed from A to B, so that a
// variant that does less, or does it elsewhere, is not plainly faster. It is empty where
// nothing else is known to have changed.
func besides(c lab.Contest) string {
	var parts []string
	if a := c.Answers; a != nil && a.Compared > 0 && !a.Same {
		parts = append(parts, "its answers differ ("+a.How()+")")
	}
	if len(parts) == 0 {
		return ""
	}
	return "; but " + strings.Join(parts, ", and ")
}
