package model

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/judge"
)

// answers says of each variant whether it answers as A does.
func answers(c *lab.ComparisonRecord) (all []Statement) {
	for _, contest := range c.Contests {
		a := contest.Answers
		switch {
		case a == nil:
		case a.Same || a.Compared == 0:
			all = append(all, Statement{Text: "answers: " + About(contest.B, len(c.Contests)) + a.String(), Tone: Good})
			all = append(all, largeGain(contest)...)
		default:
			text := fmt.Sprintf("%s's answers differ: %s", Letter(contest.B), a.How())
			if example := a.Example(); example != "" {
				text += "; first: " + example
			}
			all = append(all, Statement{Word: "warning", Text: text, Tone: Warning})
		}
	}
	return all
}

// largeGain says how far a large gain was looked into: programs may notice hone, or answer one request from a cache.
func largeGain(c lab.Contest) (all []Statement) {
	v, ok := gated(c)
	if !ok || v.Word != judge.Faster || v.Ratio >= compare.LargeGain {
		return nil
	}
	g := cmp.Or(c.Gain, &lab.GainCheck{})
	var found []string
	if g.Unseen != nil {
		found = append(found, fmt.Sprintf("%.3gx without hone's probe, variables and headers", g.Unseen.Ratio))
	}
	if g.Varied != nil {
		found = append(found, fmt.Sprintf("%.3gx where each request has %s", g.Varied.Ratio, g.By))
	}
	if len(found) > 0 {
		all = append(all, Statement{Text: fmt.Sprintf("check of the gain: %s takes %s", Letter(c.B), strings.Join(found, ", and ")), Tone: Good})
	}
	if g.Open != "" {
		all = append(all, Statement{Word: "note", Text: "the gain was not checked to the end: " + g.Open, Tone: Neutral})
	}
	return all
}

// besides is the end of a sentence on a contest: what else changed from A to B, so that a
// variant that does less, or does it later or elsewhere, is not plainly faster. It is empty
// where nothing else is known to have changed.
func besides(c lab.Contest, d Detail) string {
	parts := caveatTexts(c, d)
	if len(parts) == 0 {
		return ""
	}
	return "; but " + strings.Join(parts, ", and ")
}

// caveatTexts are the parts of besides. Those of a variant that is slower anyway say only whether it answers alike.
func caveatTexts(c lab.Contest, d Detail) []string {
	var parts []string
	if a := c.Answers; a != nil && a.Compared > 0 && !a.Same {
		parts = append(parts, "its answers differ ("+a.How()+")")
	}
	for _, caveat := range c.Caveats {
		switch {
		case c.Word == judge.Slower:
		case d == Full:
			parts = append(parts, fmt.Sprintf("%s (%s)", caveat.Text, caveat.Detail))
		default:
			parts = append(parts, caveat.Text)
		}
	}
	return parts
}
