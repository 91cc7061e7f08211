// Package repeat says whether a verdict holds when somebody else has measured the same again.
//
// Both verdicts have an interval. A second measurement refutes a difference if the two intervals, both at one
// confidence, have no value in common; it confirms it if it shows a difference in the same direction, by hone's own
// test in two stages, and does not refute it. All else is open.
//
// Errors. A true difference is refuted only if both intervals miss it on opposite sides: with two 95 % intervals of one
// width that is 1 in 180 (the difference of the estimates exceeds 2 * 1.96 standard errors of one, which is 2.77 of
// their difference), and at most 1 in 20 where one is much wider than the other. Several claims of one receipt share
// that (Bonferroni). A difference that is not there is confirmed as often as hone raises a false alarm: at most 2 in
// 1,000 (docs/verdicts.md).
package repeat

import (
	"fmt"
	"math"

	"github.com/gohone/hone/internal/judge/chain"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// Answer says what a second measurement shows of a claim.
type Answer string

// The answers.
const (
	Holds   Answer = "holds"
	Refuted Answer = "does not hold"
	Open    Answer = "cannot be told here"
	// Nothing: the verdict claimed nothing.
	Nothing Answer = ""
)

// confidence is that of all intervals of one receipt together.
const confidence = 0.95

// leastGap is how far apart two intervals have to be, as a fraction, to exclude each other: counts have intervals
// without a width, and differ in their last digits.
const leastGap = 0.01

// Of says whether what is claimed holds by the verdict of a second measurement of the same two sides. claims is how
// many claims share the error of all.
func Of(claimed, again judge.Verdict, claims int) (Answer, string) {
	switch {
	case claimed.Word.Different():
		return ofDifference(claimed, again, claims)
	case claimed.Word.Alike():
		return ofEquality(claimed, again, claims)
	}
	return Nothing, ""
}

func ofDifference(claimed, again judge.Verdict, claims int) (Answer, string) {
	was, known := interval(claimed, claims)
	is, measured := interval(again, claims)
	switch {
	case !measured || !known:
		return Open, tooFew(again)
	case apart(was, is) && claimed.Word == judge.Faster && again.Word == judge.Faster && further(was, is):
		return Holds, "the gain is larger here"
	case apart(was, is) && again.Word == claimed.Word:
		return Refuted, "the difference is of another size: what the two intervals allow has no value in common"
	case apart(was, is):
		return Refuted, "the intervals exclude each other"
	case again.Word == claimed.Word:
		return Holds, "the same direction, and the intervals agree"
	}
	return Open, fmt.Sprintf("the interval here, +-%s, is too wide to confirm or to exclude the claim%s",
		units.Percent(half(is))[1:], next(again))
}

func ofEquality(claimed, again judge.Verdict, claims int) (Answer, string) {
	bound := Bound(claimed)
	is, measured := interval(again, claims)
	low, high := 1/(1+bound), 1+bound
	switch {
	case !measured:
		return Open, tooFew(again)
	case is.Low > high*(1+leastGap) || is.High < low/(1+leastGap):
		return Refuted, fmt.Sprintf("the change here is larger than the +-%.2g %% that were excluded", 100*bound)
	case again.EquivalenceLow >= low && again.EquivalenceHigh <= high:
		return Holds, fmt.Sprintf("the change is within +-%.2g %% here, too", 100*bound)
	}
	return Open, fmt.Sprintf("the interval here, +-%s, does not lie within +-%.2g %%%s", units.Percent(half(is))[1:],
		100*bound, next(again))
}

// Bound is the change that a verdict of equality excludes, as a fraction.
func Bound(v judge.Verdict) float64 {
	if v.Word == judge.NoChange && v.Excluded > 0 {
		return v.Excluded
	}
	return v.Delta
}

// interval is that of a verdict at the confidence that claims share. With six starts there is only the one that has to
// lie within the tolerance.
func interval(v judge.Verdict, claims int) (chain.Interval, bool) {
	errs, err := chain.NewErrors(1 - (1-confidence)/float64(max(1, claims)))
	if err != nil {
		return chain.Interval{}, false
	}
	low, high, conf := v.Low, v.High, v.Conf
	if !v.Bounded() {
		low, high, conf = v.EquivalenceLow, v.EquivalenceHigh, 1-2*v.Alpha
	}
	l, err := errs.Link(v.Ratio, low, high, conf)
	if err != nil {
		return chain.Interval{}, false
	}
	return errs.Interval(l), true
}

func apart(a, b chain.Interval) bool {
	return a.Low > b.High*(1+leastGap) || b.Low > a.High*(1+leastGap)
}

// further says that an interval is further away from no change than another one on the same side.
func further(was, is chain.Interval) bool {
	return math.Abs(math.Log(is.Ratio)) > math.Abs(math.Log(was.Ratio)) && (is.Ratio > 1) == (was.Ratio > 1)
}

func half(i chain.Interval) float64 { return math.Sqrt(i.High/i.Low) - 1 }

func tooFew(v judge.Verdict) string {
	if v.Starts == 0 {
		return "it was not measured here"
	}
	return "there are too few starts for an interval here"
}

// next says what would decide.
func next(v judge.Verdict) string {
	if v.Need != nil && v.Need.Factor > 1 && !math.IsInf(v.Need.Factor, 0) {
		return fmt.Sprintf("; about %.2g times the budget would decide", v.Need.Factor)
	}
	return "; a longer --budget would make it narrower"
}
