package compare

import (
	"fmt"
	"math"

	"github.com/gohone/hone/stats"
)

// Decide says what the pairs show about a measure, by these rules:
//
//   - same: the whole interval lies within +-Delta (on the logarithmic scale, so
//     that A against B and B against A get the same word).
//   - faster or slower, as the measure's direction has it: the signed-rank test
//     rejects at Alpha, and the whole interval lies further from no change than the
//     luck of the starts reaches (Options.StartSpread).
//   - undecided otherwise, with the reason and what it would take.
//
// The interval is Hodges and Lehmann's, on the log ratios, at confidence 1-Alpha.
// The order of the pairs does not matter. Pairs that lack the measure on a side are
// counted as missing; if all do, the error is ErrNotObserved. Other errors name the
// pair whose value is infinite, negative, or 0 where that makes no sense, or the
// options at fault.
//
// This is the one place to change when looks become sequential and the start the
// unit of the test.
func Decide(m Measure, pairs []Pair, o Options) (Verdict, error) {
	if err := o.Validate(); err != nil {
		return Verdict{}, fmt.Errorf("check options: %w", err)
	}
	v, err := decide(m, pairs, o.withDefaults())
	if err != nil {
		return Verdict{}, fmt.Errorf("compare %s: %w", m.Name, err)
	}
	return v, nil
}

func decide(m Measure, pairs []Pair, o Options) (Verdict, error) {
	s, err := observe(m, pairs)
	if err != nil {
		return Verdict{}, err
	}
	e, err := measureChange(m, s, o)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{
		Measure: m, Ratio: math.Exp(e.value), Low: math.Exp(e.low), High: math.Exp(e.high),
		Conf: e.conf, P: e.p, Pairs: e.pairs, Missing: s.missing, Starts: s.starts,
		Alpha: o.Alpha, Delta: o.Delta, StartMargin: math.Expm1(e.margin), Resolution: math.Expm1(e.half()),
	}
	if v.A, err = stats.Median(s.a); err != nil {
		return Verdict{}, err
	}
	if v.B, err = stats.Median(s.b); err != nil {
		return Verdict{}, err
	}
	switch {
	case e.same():
		v.Word, v.Reason = Same, sameReason(v)
	case e.different():
		v.Word, v.Reason = Slower, differentReason(v)
		if m.better(e.value) {
			v.Word = Faster
		}
	default:
		doubt := e.doubt()
		v.Word, v.Reason, v.Need = Undecided, doubt.reason(v), e.need(doubt)
	}
	return v, nil
}

// change is the evidence: the log ratio B/A with its interval and test, and the
// yardsticks that it is held against, logarithms too.
type change struct {
	value, low, high float64
	conf, p, alpha   float64
	tolerance        float64 // of the same
	margin           float64 // that the luck of the starts explains
	pairs, fewest    int     // pairs there are, and the least that can be significant
	starts           int
}

func measureChange(m Measure, s observed, o Options) (change, error) {
	d, err := stats.LogRatios(m.floored(s.a), m.floored(s.b))
	if err != nil {
		return change{}, err
	}
	est, err := stats.HodgesLehmann(d, 1-o.Alpha)
	if err != nil {
		return change{}, err
	}
	test, err := stats.SignedRank(d)
	if err != nil {
		return change{}, err
	}
	return change{
		value: est.Value, low: est.Low, high: est.High, conf: est.Conf, p: test.P, alpha: o.Alpha,
		tolerance: math.Log1p(o.Delta), margin: o.startMargin(s.starts),
		pairs: len(d), fewest: o.fewestPairs(), starts: s.starts,
	}, nil
}

func (c change) half() float64 { return (c.high - c.low) / 2 }

func (c change) same() bool { return c.low >= -c.tolerance && c.high <= c.tolerance }

func (c change) significant() bool { return c.p < c.alpha && (c.low > 0 || c.high < 0) }

func (c change) different() bool {
	return c.significant() && (c.low > c.margin || c.high < -c.margin)
}
