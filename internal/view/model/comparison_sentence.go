package model

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// Sentence is the verdict on one measure of variant b against variant a in one sentence:
//
//	B is faster than A: CPU per request 13.9 -> 0.970 us (-93 %, 95 % interval -93.4 ... -92.6 %, 24 starts, 480 pairs)
func Sentence(v judge.Verdict, a, b string) string {
	return Claim(v, a, b) + ": " + Measured(v) + takenBack(v)
}

// Claim is the verdict alone.
func Claim(v judge.Verdict, a, b string) string {
	is := "is"
	if v.Indicative {
		is = "looks"
	}
	switch v.Word {
	case judge.Faster, judge.Slower:
		return fmt.Sprintf("%s %s %s than %s", b, is, v.Word, a)
	case judge.Same:
		return fmt.Sprintf("%s %s the same as %s within +-%g %%", b, is, a, 100*v.Delta)
	case judge.NoChange:
		return fmt.Sprintf("%s does not differ from %s by %s or more", b, a, Excluded(v))
	default:
		return fmt.Sprintf("undecided whether %s differs from %s", b, a)
	}
}

// bounded says whether there is an interval.
func bounded(v judge.Verdict) bool { return v.Bounded() }

// Excluded is the least change that a verdict excludes: "1.9 %".
func Excluded(v judge.Verdict) string { return fmt.Sprintf("%.2g %%", 100*v.Excluded) }

// Span is the interval of the change, or none where samples are too small for one.
func Span(v judge.Verdict, none string) string {
	if !bounded(v) {
		return none
	}
	return units.Span(v.Low-1, v.High-1)
}

// Interval says how sure the change is: "95 % interval -93.4 ... -92.6 %"; of "the same" and "no change" it
// is the interval that the word rests on.
func Interval(v judge.Verdict) string {
	if v.Word.Alike() && v.EquivalenceLow > 0 { // with six starts there is this one, and none of the difference
		return fmt.Sprintf("%.3g %% interval %s", 100*(1-2*v.Alpha),
			units.Span(v.EquivalenceLow-1, v.EquivalenceHigh-1))
	}
	if !bounded(v) {
		return "no interval"
	}
	return Confidence(v) + " interval " + Span(v, "")
}

// Confidence is that of the interval, with the digit that a level shared among several
// variants has.
func Confidence(v judge.Verdict) string { return fmt.Sprintf("%.3g %%", 100*v.Conf) }

// evidence says from how much a verdict was drawn.
func evidence(v judge.Verdict) string {
	text := Starts(v.Starts)
	if v.Pairs > v.Starts && v.Method != judge.Ranks {
		text += fmt.Sprintf(", %d pairs", v.Pairs)
	}
	if v.Confirmed() {
		text += ", confirmed"
	}
	return text
}

// takenBack says what the first stage of a comparison saw that the second did not; empty where there is nothing.
func takenBack(v judge.Verdict) string {
	if !v.Retracted() {
		return ""
	}
	if v.OnlyDisturbed != "" { // it came again, beside a neighbour
		return "; " + v.OnlyDisturbed
	}
	if t := v.First.Tail; t != nil {
		return fmt.Sprintf("; the first stage showed %s, which the second did not confirm", slowText(v.Measure, *t))
	}
	first := fmt.Sprintf("%s (%s)", units.Percent(v.First.Ratio-1), units.Span(v.First.Low-1, float64(v.First.High)-1))
	switch again := !bounded(v) || v.Low <= v.First.Ratio && v.First.Ratio <= v.High; {
	case again && v.Word == judge.Undecided:
		return fmt.Sprintf("; the first stage showed %s, and the second was too short to confirm it", first)
	case again:
		return fmt.Sprintf("; the first stage showed %s, which the second did not confirm", first)
	}
	return fmt.Sprintf("; %s in the first stage, which did not come again", first)
}

func Starts(n int) string { return units.Plural(n, "start") }

// ContestSentence is the sentence on the gated measure of a contest.
func ContestSentence(c record.Contest) string {
	v, ok := Lead(c)
	if !ok {
		return fmt.Sprintf("undecided whether %s differs from %s: %s was not observed", Letter(c.B), Letter(c.A),
			measure.CPU.Name)
	}
	if c.Unreached {
		return contestClaim(c, v)
	}
	return contestClaim(c, v) + ": " + Measured(v) + takenBack(v) + alsoSeen(c) + after("; ", keeps(c)) +
		besides(c, Full)
}

// shortSentence is ContestSentence without what the verdict rests on, and without other measures:
//
//	B is faster than A: CPU per request 13.9 -> 0.970 us (-93 %, 95 % interval -93.4 ... -92.6 %, confirmed)
func shortSentence(c record.Contest) string {
	v, ok := Lead(c)
	if !ok || c.Unreached {
		return ContestSentence(c)
	}
	confirmed := ""
	if v.Confirmed() {
		confirmed = ", confirmed"
	}
	figures := fmt.Sprintf("%s %s (%s, %s%s)", v.Measure.Name, ValuesOf(v), units.Percent(v.Ratio-1), Interval(v),
		confirmed)
	if v.Method == judge.SlowShare {
		figures = fmt.Sprintf("%s (%s%s)", slowText(v.Measure, *v.Tail), chance(v), confirmed)
	}
	return fmt.Sprintf("%s: %s%s%s", contestClaim(c, v), figures, takenBack(v), after("; ", keeps(c))+besides(c, Brief))
}

// Lead is the verdict that the word of a contest is of.
func Lead(c record.Contest) (judge.Verdict, bool) {
	return verdictOn(c, cmp.Or(c.Leads, measure.CPU.Key))
}

// gated is the verdict on CPU time, which profiles explain.
func gated(c record.Contest) (judge.Verdict, bool) { return verdictOn(c, measure.CPU.Key) }

// verdictOn is the contest's verdict on a measure.
func verdictOn(c record.Contest, key string) (judge.Verdict, bool) {
	i := slices.IndexFunc(c.Verdicts, func(v judge.Verdict) bool { return v.Measure.Key == key })
	if i < 0 {
		return judge.Verdict{}, false
	}
	return c.Verdicts[i], true
}

// indicative says whether any of the verdicts is of variants not taken together.
func indicative(c *record.Comparison) bool {
	return slices.ContainsFunc(c.Contests, func(contest record.Contest) bool {
		return slices.ContainsFunc(contest.Verdicts, func(v judge.Verdict) bool { return v.Indicative })
	})
}

// Stopped says why and when a comparison ended:
//
//	stopped after 14 s of 60 s: difference shown at look 3
func Stopped(c *record.Comparison) string {
	spent := time.Duration(c.Blocks) * c.BlockTime
	looks := units.Plural(len(c.Looks), "look")
	if spent == 0 {
		return "decided on what is stored"
	}
	after := fmt.Sprintf("stopped after %s of %s: ", units.Seconds(spent), units.Seconds(c.Budget))
	switch {
	case c.FirstStage == 0 || c.Blocks <= c.FirstStage: // nothing was measured again
	case spent > c.Budget:
		return fmt.Sprintf("stopped after %s: %s; that may take more than the budget of %s", units.Seconds(spent),
			inStages(c), units.Seconds(c.Budget))
	default:
		return after + inStages(c)
	}
	switch c.Stopped {
	case compare.StoppedDecided:
		return after + decidedBy(c)
	case record.StoppedSameSource:
		return after + "one start of each, since the source is the same; name one source twice to have it measured"
	case record.StoppedUnreached:
		return after + "one start of each, since the load executes nothing that changed; --all has it measured"
	case compare.StoppedGates:
		return after + fmt.Sprintf("all gates settled at look %d", len(c.Looks))
	case compare.StoppedBudget:
		return fmt.Sprintf("took all of the budget of %s: %s, %s of every variant", units.Seconds(c.Budget), looks,
			Starts(c.Blocks))
	default:
		return after + looks
	}
}

// inStages says how many starts each of the two stages of a comparison had:
//
//	the first 6 starts showed a difference, which was measured again over 7 more with 7 other link orders
//	all gates settled at look 1, and what differs was measured again over 7 more
func inStages(c *record.Comparison) string {
	text := fmt.Sprintf("the first %s showed a difference, which", Starts(c.FirstStage))
	if c.Stopped == compare.StoppedGates {
		text = fmt.Sprintf("all gates settled at look %d, and what differs", len(c.Looks)-1)
	}
	text += fmt.Sprintf(" was measured again over %d more", c.Blocks-c.FirstStage)
	if c.LinkOrders > 0 {
		text += " with " + units.Plural(c.LinkOrders, "other link order")
	}
	return text
}

func decidedBy(c *record.Comparison) string {
	if len(c.Contests) > 1 {
		return fmt.Sprintf("every variant decided by look %d", len(c.Looks))
	}
	v, _ := Lead(c.Contests[0])
	what := "difference"
	if v.Word.Alike() {
		what = "equivalence"
	}
	text := fmt.Sprintf("%s shown at look %d", what, v.Looks)
	if n := len(c.Looks); n > v.Looks {
		text += fmt.Sprintf(", throughput and latency by look %d", n) // of an open loop: compare.Question.Beside
	}
	return text
}

// Measured is what was measured of one measure of two variants, without a verdict:
//
//	resident memory 120 -> 40.2 MB (-66.5 %, 95 % interval -67.1 ... -65.9 %, 8 starts)
func Measured(v judge.Verdict) string {
	if v.Method == judge.SlowShare {
		return fmt.Sprintf("%s (%s, %s)", slowText(v.Measure, *v.Tail), chance(v), evidence(v))
	}
	return fmt.Sprintf("%s %s (%s, %s, %s)", v.Measure.Name,
		ValuesOf(v), units.Percent(v.Ratio-1), Interval(v), evidence(v))
}
