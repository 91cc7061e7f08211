// Package share has several questions share one level: the verdicts on several variants, or on several benchmarks, hold
// together (Holm, Bonferroni).
package share

import (
	"errors"

	"github.com/gohone/hone/judge"
)

// Contest is one of several questions that share a level: the verdict on one measure of one variant, or of one
// benchmark. Once decided it stands, whatever the blocks that others still need show.
type Contest struct {
	Verdict judge.Verdict
	Known   bool // there is a verdict
	Decided bool // it is not judge.Undecided
}

// Shown says whether a difference was shown.
func (c Contest) Shown() bool { return c.Decided && c.Verdict.Word.Different() }

// ask decides on a contest at a level, unless it is decided; what was not observed leaves it as it is.
func (c *Contest) ask(i int, alpha float64, decide func(i int, alpha float64) (judge.Verdict, error)) error {
	if c.Decided {
		return nil
	}
	v, err := decide(i, alpha)
	if err == nil {
		c.Verdict, c.Known, c.Decided = v, true, v.Word != judge.Undecided
	}
	if errors.Is(err, judge.ErrNotObserved) {
		return nil
	}
	return err
}

// Holm decides on each contest that is not decided yet. The level alpha is shared as Holm (1979), "A simple
// sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, does it, here at every look
// (Ye, Li, Liu & Yao 2013, "A group sequential Holm procedure with multiple primary endpoints", Statistics in Medicine
// 32): with r of m differences shown, the others are tested at level alpha/(m-r).
//
// decide says what the blocks of contest i show at a level; judge.ErrNotObserved leaves the
// contest as it is, any other error ends it all.
func Holm(contests []*Contest, alpha float64, decide func(i int, alpha float64) (judge.Verdict, error)) error {
	for again := true; again; {
		again = false
		for i, c := range contests {
			before := c.Shown()
			if err := c.ask(i, alpha/float64(open(contests)), decide); err != nil {
				return err
			}
			again = again || c.Shown() && !before // the level of the others rises
		}
	}
	return nil
}

// Bonferroni decides on each contest that is not decided yet, at an even share of the level, so that the intervals of all hold
// at once, too. decide is as for Holm.
func Bonferroni(contests []*Contest, alpha float64, decide func(i int, alpha float64) (judge.Verdict, error)) error {
	for i, c := range contests {
		if err := c.ask(i, alpha/float64(len(contests)), decide); err != nil {
			return err
		}
	}
	return nil
}

// open is how many contests have no difference shown, at least 1.
func open(contests []*Contest) int {
	n := len(contests)
	for _, c := range contests {
		if c.Shown() {
			n--
		}
	}
	return max(1, n)
}
