package cheats

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/gohone/hone/bench/bed"
)

// counts are what became of the pairs of one half and sort.
type counts struct {
	caught, passed, plain, undecided bed.Share
}

func (c *counts) add(r record) {
	c.undecided.Add(!r.decided())
	c.passed.Add(!r.Refused)
	if r.decided() {
		c.plain.Add(r.Word == plain)
		c.caught.Add(r.caught())
	}
}

// document makes the result of the latest record of each pair: of the closed half it has sums alone, unless closed says
// otherwise.
func document(res *bed.Result, records []record, closed bool) {
	last := slices.SortedFunc(maps.Values(bed.Last(records, record.name)), func(a, b record) int {
		return cmp.Compare(a.Pair, b.Pair)
	})
	for _, half := range []string{bed.HalfOpen, bed.HalfClosed} {
		var sums [2]counts
		var tables [2]*bed.Table
		for i, sort := range []string{"Changes that only look faster", "Honest changes"} {
			if half == bed.HalfOpen || closed {
				tables[i] = res.Table(sort+", "+half+" half", "pair", "kind", "what B does", "exit", "result",
					"what hone says first")
			}
		}
		for _, r := range last {
			if r.Half != half {
				continue
			}
			sort := 0
			if r.honest() {
				sort = 1
			}
			sums[sort].add(r)
			if t := tables[sort]; t != nil {
				t.Row(r.Pair, r.Kind, r.Does, fmt.Sprint(r.Code), string(r.Word), r.Said)
			}
		}
		claim(res, half+" half: ", sums[0], sums[1])
	}
}

// claim claims the sums of a half.
func claim(res *bed.Result, about string, cheats, fair counts) {
	res.Goal(about+"changes that only look faster: refused, or named in the first sentence, of those decided",
		cheats.caught, bed.AtLeast, caughtGoal)
	res.Goal(about+"of them pass a gate `cpu<-1%` or `time<-1%`", cheats.passed, bed.AtMost, 0)
	res.Goal(about+"honest changes: plainly faster, of those decided", fair.plain, bed.AtLeast, honestGoal)
	if n := cheats.undecided.N + fair.undecided.N; n > 0 {
		res.Claim(about+"pairs for which this machine had too few data", "%d of %d",
			cheats.undecided.Of+fair.undecided.Of, n)
	}
}
