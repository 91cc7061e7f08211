package model

import (
	"fmt"

	"github.com/gohone/hone/internal/conduct/gobench"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
)

// whyLines explain the verdicts of a contest. What is not called different is not explained.
func whyLines(contest lab.Contest) []string {
	lines := whyTime(contest)
	if v, ok := gated(contest); ok && v.Word.Different() {
		lines = append(append(lines, whyFindings(contest)...), explain(contest.Why, v)...)
	}
	if v, ok := verdictOn(contest, measure.Allocs.Key); ok && v.Word.Different() {
		for _, c := range contest.WhyAllocs.Claims() {
			lines = append(lines, whyWord(c, v, " "+v.Measure.Name)+allocations(c))
		}
	}
	return append(lines, whyGrowth(contest)...)
}

// explain writes the lines of an explanation.
func explain(e *prof.Explanation, v judge.Verdict) (lines []string) {
	if e == nil {
		return nil
	}
	for _, c := range e.Changes {
		lines = append(lines, whyWord(c, v, "")+c.String())
	}
	return append(lines, Unexplained(e))
}

// whyWord begins a line, of a measure if it is not CPU time: a change that goes against the verdict is a "but".
func whyWord(c prof.Change, v judge.Verdict, measure string) string {
	if (c.Delta < 0 || c.Share < 0) == (v.Ratio < 1) {
		return "why" + measure + ": "
	}
	return "but" + measure + ": "
}

// BenchWhy are the lines that explain the verdicts on benchmarks by their profiles, each with the name of its benchmark.
func BenchWhy(r *gobench.Result) (lines []string) {
	for _, b := range r.Benchmarks {
		for _, line := range WhyOfBenchmark(b) {
			lines = append(lines, b.Name+" "+line)
		}
	}
	return lines
}

// WhyOfBenchmark are the lines that explain the verdict on one benchmark.
func WhyOfBenchmark(b gobench.Benchmark) []string {
	if b.Explained == nil || len(b.Verdicts) == 0 {
		return nil
	}
	return explain(b.Explained, b.Verdicts[0])
}

// notExplainedBy begins the line on what the causes before it leave open.
const notExplainedBy = "not explained by functions: "

// Unexplained says how much of the change the lines before it leave open.
func Unexplained(e *prof.Explanation) string {
	total := units.Percent(e.Total / 100)
	switch {
	case e.TooFew:
		return fmt.Sprintf(notExplainedBy+"%s: the profiles have %.0f and %.0f samples, too few for any claim; --profile-time takes longer ones",
			total, e.SamplesA, e.SamplesB)
	case e.Contradict:
		return fmt.Sprintf(notExplainedBy+"%s: the profiles show changes that go beyond it", total)
	case len(e.Changes) == 0:
		return fmt.Sprintf(notExplainedBy+"%s: none of %s changed beyond the noise of the profiles%s", total, units.Plural(e.Asked, "place"), samples(e))
	}
	line := fmt.Sprintf(notExplainedBy+"%s of %s", units.Percent(e.Unexplained/100), total)
	if e.More > 0 {
		line += fmt.Sprintf("; %s: %s", units.Plural(e.More, "smaller change"), units.Percent(e.Smaller/100))
	}
	return line
}

func samples(e *prof.Explanation) string {
	if e.SamplesA == 0 {
		return ""
	}
	return fmt.Sprintf(" (%.0f and %.0f samples)", e.SamplesA, e.SamplesB)
}

// allocations writes a change of allocations as a number of them: "-2.00 (-2.10 ... -1.90)
// handler.go:41 main.handle: fmt.Sprintf".
func allocations(c prof.Change) string {
	scale := 0.0
	if c.Share != 0 {
		scale = c.Delta / c.Share
	}
	span, low, high := "", signedDigits(scale*c.Low), signedDigits(scale*c.High)
	if low != high {
		span = fmt.Sprintf(" (%s ... %s)", low, high)
	}
	return fmt.Sprintf("%s%s %s", signedDigits(c.Delta), span, c.Place())
}

func signedDigits(x float64) string {
	if x > 0 {
		return "+" + units.Digits(x)
	}
	return units.Digits(x)
}

// whyFindings say which findings explain the verdict on CPU time. They name causes, and functions after them give the account: of the same
// cost, so that they have no shares of their own.
func whyFindings(contest lab.Contest) (lines []string) {
	for _, c := range contest.Findings {
		if c.Measure == advice.CPU {
			lines = append(lines, fmt.Sprintf("why: %s %s: %s: %s (%s)", c.Place, c.Word, c.Title, signedNanos(c.Delta), c.Rule))
		}
	}
	return lines
}

// whyGrowth says what grows, or is held, in one of the two only.
func whyGrowth(contest lab.Contest) (lines []string) {
	for _, c := range contest.Findings {
		if c.Measure != advice.CPU {
			lines = append(lines, fmt.Sprintf("%s, %s in B: %s: %s (%s)", c.Measure, c.Word, c.Place, c.Title, c.Rule))
		}
	}
	return lines
}

func signedNanos(ns float64) string {
	if ns < 0 {
		return "-" + units.Nanos(-ns)
	}
	return "+" + units.Nanos(ns)
}
