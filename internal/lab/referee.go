package lab

import (
	"fmt"
	"math"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/units"
)

// referee looks at a comparison from time to time and says when it is over: every
// variant is shown to be different from A or the same, or all gates are settled, or the
// budget is used up.
type referee struct {
	request  *Request
	began    time.Time
	looks    []compare.Look
	nextLook int
	contests []*compare.Contest // of every variant but A: CPU time against A
	stopped  string             // why it ended
}

func newReferee(r *Request) *referee {
	f := &referee{request: r, began: time.Now(), nextLook: compare.FewestBlocks(r.verdictOptions().WithDefaults().Alpha)}
	for range r.Variants[1:] {
		f.contests = append(f.contests, &compare.Contest{})
	}
	return f
}

func (f *referee) elapsed() time.Duration { return time.Since(f.began) }

// due says whether so many blocks are worth a look: there are enough new ones, or there
// is no time for another.
func (f *referee) due(blocks int, perBlock time.Duration) bool {
	return blocks >= f.nextLook || f.last(blocks, perBlock)
}

// last says that there is no other layout, or that the budget has no room for another
// block. A tenth over is better than an eleventh of the budget unused.
func (f *referee) last(blocks int, perBlock time.Duration) bool {
	if n := f.request.Layouts; n > 0 && blocks >= n {
		return true
	}
	return f.elapsed()+perBlock > f.request.Budget+perBlock/10
}

// look decides on each variant that is not decided yet, given the blocks of each with A.
// The variants share the level (compare.Holm).
func (f *referee) look(blocks [][]compare.Block, perBlock time.Duration) (over bool, err error) {
	n := len(blocks[0])
	last := f.last(n, perBlock)
	look := compare.Look{Blocks: n, Used: min(1, float64(f.elapsed())/float64(f.request.Budget))}
	if last {
		look.Used = 1
	}
	f.looks, f.nextLook = append(f.looks, look), compare.NextLook(n)
	o := f.request.verdictOptions().WithDefaults()
	o.Looks = f.looks
	err = compare.Holm(f.contests, o.Alpha, func(i int, alpha float64) (compare.Verdict, error) {
		o.Alpha = alpha
		return compare.Decide(compare.CPU, blocks[i], o)
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

// Why a comparison ended.
const (
	StoppedDecided = "decided"
	StoppedGates   = "gates settled"
	StoppedBudget  = "budget used up"
)

func (f *referee) allDecided() bool {
	for _, c := range f.contests {
		if !c.Decided {
			return false
		}
	}
	return true
}

// note is the state for the progress line: the interval of each variant so far.
func (f *referee) note() string {
	text := ""
	for i, c := range f.contests {
		if !c.Known || math.IsInf(c.Verdict.High, 1) {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%s/A %s", f.request.Variants[i+1].Name, units.Span(c.Verdict.Low-1, c.Verdict.High-1))
	}
	return text
}

// gatesSettled says whether more blocks could change no gate's outcome. A percentile is
// looked at once, when the budget is used up.
func (f *referee) gatesSettled(blocks [][]compare.Block) bool {
	o := f.gateOptions()
	for _, g := range f.request.Gates {
		if g.Measure.Level == compare.Pooled {
			return false
		}
		for _, b := range blocks {
			v, err := compare.Decide(g.Measure, b, o)
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
	o := f.request.verdictOptions().WithDefaults()
	o.Alpha /= float64(len(f.contests))
	o.Looks = f.looks
	return o
}
