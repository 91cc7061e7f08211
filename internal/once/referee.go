package once

import (
	"fmt"
	"math"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/units"
)

// Why a comparison ended.
const (
	StoppedDecided = "decided"
	StoppedGates   = "gates settled"
	StoppedBudget  = "budget used up"
)

// referee looks at a comparison from time to time and says when it is over: every
// variant is shown to be different from A or the same, or all gates are settled, or the
// budget is used up.
type referee struct {
	request  *Request
	began    time.Time
	rounds   int
	spent    time.Duration // by them
	looks    []compare.Look
	nextLook int
	contests []*compare.Contest // of every variant but A: CPU time against A
	stopped  string             // why it ended
}

func newReferee(r *Request) *referee {
	f := &referee{request: r, began: time.Now(), nextLook: compare.FewestBlocks(r.options().WithDefaults().Alpha)}
	for range r.Variants[1:] {
		f.contests = append(f.contests, &compare.Contest{})
	}
	return f
}

func (f *referee) elapsed() time.Duration { return time.Since(f.began) }

// perRound is what the rounds so far took on average.
func (f *referee) perRound() time.Duration { return f.spent / time.Duration(max(1, f.rounds)) }

// last says that the budget has no room for another round. A tenth over is better than an
// eleventh of the budget unused.
func (f *referee) last() bool {
	return f.elapsed()+f.perRound() > f.request.Budget+f.perRound()/10
}

// round takes note of a round and looks, if it is time to. blocks are those of each
// variant but A with A.
func (f *referee) round(blocks [][]compare.Block) (over bool, err error) {
	f.rounds, f.spent = f.rounds+1, f.elapsed()
	last := f.last()
	if f.rounds < f.nextLook && !last {
		return false, nil
	}
	look := compare.Look{Blocks: f.rounds, Used: min(1, float64(f.elapsed())/float64(f.request.Budget))}
	if last {
		look.Used = 1
	}
	f.looks, f.nextLook = append(f.looks, look), compare.NextLook(f.rounds)
	o := f.request.options().WithDefaults()
	o.Looks = f.looks
	err = compare.Holm(f.contests, o.Alpha, func(i int, alpha float64) (compare.Verdict, error) {
		o.Alpha = alpha
		return compare.Decide(CPU, blocks[i], o)
	})
	if err != nil {
		return false, err
	}
	switch {
	case len(f.request.Gates) > 0 && f.gatesSettled(blocks):
		f.stopped = StoppedGates
	case len(f.request.Gates) == 0 && f.allDecided():
		f.stopped = StoppedDecided
	case last:
		f.stopped = StoppedBudget
	}
	return f.stopped != "", nil
}

func (f *referee) allDecided() bool {
	for _, c := range f.contests {
		if !c.Decided {
			return false
		}
	}
	return true
}

// gatesSettled says whether more rounds could change no gate's outcome.
func (f *referee) gatesSettled(blocks [][]compare.Block) bool {
	for _, g := range f.request.Gates {
		for _, b := range blocks {
			v, err := compare.Decide(g.Measure, b, f.gateOptions())
			if err != nil {
				continue // it is not observed, and will not be
			}
			if outcome, _ := g.Judge(v); outcome == compare.Open {
				return false
			}
		}
	}
	return true
}

// gateOptions share the level evenly among the variants: a gate is about the interval,
// and all intervals shall hold at once.
func (f *referee) gateOptions() compare.Options {
	o := f.request.options().WithDefaults()
	o.Alpha /= float64(len(f.contests))
	o.Looks = f.looks
	return o
}

// note is the state for the progress line: the round, and the interval of each variant.
func (f *referee) note(round int) string {
	text := fmt.Sprintf("round %d", round+1)
	for i, c := range f.contests {
		if c.Known && !math.IsInf(c.Verdict.High, 1) {
			text += fmt.Sprintf(", %s/A %s", f.request.Variants[i+1].Name, units.Span(c.Verdict.Low-1, c.Verdict.High-1))
		}
	}
	return text
}
