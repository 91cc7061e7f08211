package report

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
)

// why explains each contest by the profiles.
func why(b *strings.Builder, c *lab.ComparisonRecord) {
	for _, contest := range c.Contests {
		v, _ := gated(contest)
		for _, line := range whyLines(contest, v) {
			fmt.Fprintln(b, about(contest.B, len(c.Contests))+line)
		}
	}
}

// whyLines explain the verdict v of a contest.
func whyLines(contest lab.Contest, v compare.Verdict) []string {
	lines := append(append(whyTime(contest), whyFindings(contest, v)...), explain(contest.Why, v)...)
	for _, c := range contest.WhyAllocs.Claims() {
		lines = append(lines, whyWord(c, v)+allocations(c))
	}
	return lines
}

// explain writes the lines of an explanation.
func explain(e *prof.Explanation, v compare.Verdict) []string {
	if e == nil {
		return nil
	}
	var lines []string
	for _, c := range e.Changes {
		lines = append(lines, whyWord(c, v)+c.String())
	}
	differs := v.Word.Different()
	if !differs && len(e.Changes) == 0 {
		return lines
	}
	return append(lines, unexplained(e))
}

// whyWord begins a line: a change that goes against the verdict is a "but".
func whyWord(c prof.Change, v compare.Verdict) string {
	if (c.Delta < 0 || c.Share < 0) == (v.Ratio < 1) {
		return "why: "
	}
	return "but: "
}

// unexplained says how much of the change the lines before it leave open.
func unexplained(e *prof.Explanation) string {
	total := units.Percent(e.Total / 100)
	switch {
	case e.TooFew:
		return fmt.Sprintf("not explained by functions: %s: the profiles have %.0f and %.0f samples, too few for any claim; --profile-time takes longer ones",
			total, e.SamplesA, e.SamplesB)
	case len(e.Changes) == 0:
		return fmt.Sprintf("not explained by functions: %s: none of %s changed beyond the noise of the profiles%s", total, plural(e.Asked, "place"), samples(e))
	}
	line := fmt.Sprintf("not explained by functions: %s of %s", units.Percent(e.Unexplained/100), total)
	if e.More > 0 {
		line += fmt.Sprintf("; %s: %s", plural(e.More, "smaller change"), units.Percent(e.Smaller/100))
	}
	return line
}

func samples(e *prof.Explanation) string {
	if e.SamplesA == 0 {
		return ""
	}
	return fmt.Sprintf(" (%.0f and %.0f samples)", e.SamplesA, e.SamplesB)
}

// allocations writes a change of allocations as a number of them: "-2.00 allocations per
// request (-2.10 ... -1.90) handler.go:41 main.handle: fmt.Sprintf".
func allocations(c prof.Change) string {
	scale := 0.0
	if c.Share != 0 {
		scale = c.Delta / c.Share
	}
	span, low, high := "", signedDigits(scale*c.Low), signedDigits(scale*c.High)
	if low != high {
		span = fmt.Sprintf(" (%s ... %s)", low, high)
	}
	return fmt.Sprintf("%s allocations per request%s %s", signedDigits(c.Delta), span, c.Place())
}

func signedDigits(x float64) string {
	if x > 0 {
		return "+" + units.Digits(x)
	}
	return units.Digits(x)
}
