package model

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// tries says how often two programs were compared, where this is not the first time.
func tries(c *record.Comparison) (all []Statement) {
	for _, contest := range c.Contests {
		if t := contest.Tries; t != nil && t.Number > 1 {
			all = append(all, Statement{Word: "note", Tone: Neutral, Text: fmt.Sprintf("%sthis is comparison %d of these "+
				"two programs in this ledger; each one more is another chance of a false result",
				About(contest.B, len(c.Contests)), t.Number)})
		}
	}
	return all
}

// answers says of each variant whether it answers as A does.
func answers(c *record.Comparison) (all []Statement) {
	for _, contest := range c.Contests {
		a := contest.Answers
		switch {
		case a == nil:
		case a.Same || a.Compared == 0:
			all = append(all, Statement{Text: "answers: " + About(contest.B, len(c.Contests)) + a.String(), Tone: Good})
			all = append(all, checkedGain(contest)...)
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

// checkedGain says how far a gain was looked into: programs may notice hone, or answer one request from a cache.
func checkedGain(c record.Contest) (all []Statement) {
	v, ok := gated(c)
	if !ok || v.Word != judge.Faster || c.Gain == nil {
		return nil
	}
	var found []string
	if p := c.Gain.Unseen; p != nil {
		found = append(found, fmt.Sprintf("%s needs %s of A's CPU time", Letter(c.B), part(p)))
	}
	if p := c.Gain.Varied; p != nil {
		found = append(found, fmt.Sprintf("%s where each request has %s", part(p), c.Gain.By))
	}
	if len(found) > 0 {
		text := "checked without hone's instrumentation: " + strings.Join(found, ", and ")
		all = append(all, Statement{Text: text, Tone: contestTone(c)})
	}
	if c.Gain.Open != "" {
		text := "the gain was not checked to the end: " + c.Gain.Open
		all = append(all, Statement{Word: "note", Text: text, Tone: Neutral})
	}
	return all
}

// part is a share with its interval: "6 % (5.8 ... 6.3 %)".
func part(p *record.GainPart) string {
	return fmt.Sprintf("%.3g %% (%.3g ... %.3g %%)", 100*p.Ratio, 100*p.Low, 100*p.High)
}

// besides is the end of a sentence on a contest: what else changed from A to B, so that a
// variant that does less, or does it later or elsewhere, is not plainly faster. It is empty
// where nothing else is known to have changed.
func besides(c record.Contest, d Detail) string {
	parts := caveatTexts(c, d)
	if len(parts) == 0 {
		return ""
	}
	return "; but " + strings.Join(parts, ", and ")
}

// caveatTexts are the parts of besides. Those of a variant that is slower anyway say only whether it answers alike.
func caveatTexts(c record.Contest, d Detail) []string {
	var parts []string
	if a := c.Answers; a != nil && a.Compared > 0 && !a.Same {
		parts = append(parts, "its answers differ ("+a.How()+")")
	}
	if t := c.Tries; t != nil && t.Contradict > 0 && c.Word == judge.Faster {
		parts = append(parts, fmt.Sprintf("in %d of %d earlier comparisons of these two programs it was not faster",
			t.Contradict, t.Number-1))
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
