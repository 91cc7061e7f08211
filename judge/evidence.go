package judge

import (
	"math"

	"github.com/gohone/hone/stats"
)

// Evidence is what the observations say about a change, before it has a word. Changes are ln(B/A): 0 if both are equal.
// A caller that has a test of its own, such as one of runs that were not taken together, gets its Verdict by it.
type Evidence struct {
	// Value is the estimate, Low ... High its interval with the confidence 1-Alpha; infinite with too few starts.
	Value, Low, High float64
	// EquivalenceLow ... EquivalenceHigh is the interval of two one-sided tests at Alpha each, so with the confidence
	// 1-2Alpha: within the tolerance, it shows that the variants are the same (Schuirmann 1987, "A comparison of the
	// two one-sided tests procedure and the power approach", Journal of Pharmacokinetics and Biopharmaceutics 15(6)).
	EquivalenceLow, EquivalenceHigh float64
	// P is of the test, and Level is what it had to be at or under.
	P, Level float64
	// Shown says that the test shows a difference.
	Shown bool
	// Starts is how many fresh starts of each variant there are.
	Starts int
	few    bool // decided by Student's t

	scatter stats.Scatter // of its units
	prior   stats.Prior   // that it rests on
}

// Verdict puts the evidence on a measure in words. What says where it comes from, the
// values of A and B, the counts and the method, is left to fill in.
func (e Evidence) Verdict(m Measure, o Options) Verdict {
	o = o.WithDefaults()
	v := Verdict{
		Measure: m, Ratio: math.Exp(e.Value), Low: math.Exp(e.Low), High: math.Exp(e.High),
		Conf: 1 - o.Alpha, P: e.P, Level: e.Level, Starts: e.Starts,
		EquivalenceLow: math.Exp(e.EquivalenceLow), EquivalenceHigh: math.Exp(e.EquivalenceHigh),
		Alpha: o.Alpha, Delta: o.Delta, Resolution: math.Expm1(e.half()),
		Detectable: math.Expm1(e.half() * detectable), Scatter: e.scatter, prior: e.prior,
	}
	if e.prior.DF > 0 {
		v.again = o.PriorAgain
	}
	if e.few {
		v.Method, v.Conf = Student, 1-e.Level
	}
	tolerance := math.Log1p(o.Delta)
	switch {
	case e.EquivalenceLow >= -tolerance && e.EquivalenceHigh <= tolerance:
		v.Word, v.Reason = Same, sameReason(v)
	case e.Shown && e.clear(tolerance):
		v.Word, v.Reason = Slower, differentReason(v)
		if m.better(e.Value) {
			v.Word = Faster
		}
	default:
		c := change{Evidence: e, fewest: FewestBlocks(o.Alpha), tolerance: tolerance}
		doubt := c.doubt()
		v.Word, v.Reason, v.Need = Undecided, doubt.reason(v, c.fewest, o.Staged || o.again), c.need(doubt)
	}
	return v
}

// clear says whether the interval is clear of 0 by more than measuring can tell: the tolerance
// divided by clearOfZero. With the fewest starts its ends are the least and the most of six
// numbers, and one that begins at +0.00 % says as little as one that begins at -0.01 %.
func (e Evidence) clear(tolerance float64) bool {
	return max(e.Low, -e.High) > tolerance/clearOfZero
}

// clearOfZero makes 0.05 % of the default tolerance, half of the last digit that reports print of a change near 1 %.
const clearOfZero = 20

func (e Evidence) half() float64 { return (e.High - e.Low) / 2 }

func (e Evidence) equivalenceHalf() float64 { return (e.EquivalenceHigh - e.EquivalenceLow) / 2 }

// detectable is the difference that would have been shown in four of five comparisons,
// in half-widths of a 95 % interval: (1.96 + 0.84) / 1.96 standard errors.
const detectable = 1.43
