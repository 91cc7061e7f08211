package gobench

import (
	"errors"

	"github.com/gohone/hone/internal/compare"
)

// contest is the verdict on one measure of one benchmark. Once decided it stands.
type contest struct {
	verdict compare.Verdict
	known   bool // there is a verdict
	decided bool
}

func (c contest) shown() bool {
	return c.decided && (c.verdict.Word == compare.Faster || c.verdict.Word == compare.Slower)
}

// holm decides on each contest that is not decided yet. The level alpha is shared as Holm
// (1979), "A simple sequentially rejective multiple test procedure", Scandinavian Journal
// of Statistics 6, does it, here at every look (Ye, Li, Liu & Yao 2013, "A group sequential
// Holm procedure with multiple primary endpoints", Statistics in Medicine 32): with r of m
// differences shown, the others are tested at level alpha/(m-r).
//
// decide says what the blocks of contest i show at a level; compare.ErrNotObserved leaves
// the contest as it is.
func holm(contests []*contest, alpha float64, decide func(i int, alpha float64) (compare.Verdict, error)) error {
	for again := true; again; {
		again = false
		for i, c := range contests {
			if c.decided {
				continue
			}
			v, err := decide(i, alpha/float64(open(contests)))
			if errors.Is(err, compare.ErrNotObserved) {
				continue
			}
			if err != nil {
				return err
			}
			c.verdict, c.known, c.decided = v, true, v.Word != compare.Undecided
			again = again || c.shown() // the level of the others rises
		}
	}
	return nil
}

// open is how many contests have no difference shown, at least 1.
func open(contests []*contest) int {
	n := len(contests)
	for _, c := range contests {
		if c.shown() {
			n--
		}
	}
	return max(1, n)
}
