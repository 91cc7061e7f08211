package compare

import (
	"fmt"
	"math"
	"time"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/judge/share"
	"github.com/gohone/hone/stats"
)

// Why a comparison ended.
const (
	StoppedDecided = "decided"
	StoppedGates   = "gates settled"
	StoppedBudget  = "budget used up"
	// StoppedConfirmed: what the first stage found was measured again.
	StoppedConfirmed = "measured again"
)

// Referee looks at a comparison from time to time and says when it is over: every
// contender is shown to be different from A or the same, or all gates are settled, or the
// budget is used up. It is for one goroutine.
type Referee struct {
	*Pace
	// Stopped says why the comparison ended; empty while it goes on.
	Stopped string

	question     Question
	apart        bool // the contenders are benchmarks
	contenders   []*Contender
	families     []*family
	targets      []string // that are told apart; nil before TellApart
	outOfTime    bool     // first stages have ended with the budget
	ordersMatter bool     // to what the second stage measures again
}

// NewReferee returns a referee of variants whose budget begins to run.
func NewReferee(q Question) *Referee {
	q.Options = q.Options.WithDefaults()
	r := &Referee{question: q}
	for _, name := range q.Variants {
		r.contenders = append(r.contenders, &Contender{name: name, Measures: []judge.Measure{q.Gated},
			gates: make([]judged, len(q.Gates))})
	}
	r.enroll()
	first := judge.FewestBlocks(q.level())
	if q.Staged() {
		first = judge.FirstLook
	}
	r.Pace = NewPace(q.Budget, q.Most, first)
	return r
}

// NewRefereeOf returns a referee of benchmarks whose budget begins to run.
func NewRefereeOf(q Question, benchmarks ...*Contender) *Referee {
	q.Options = q.Options.WithDefaults()
	r := &Referee{question: q, apart: true, contenders: benchmarks}
	for _, s := range benchmarks {
		s.name, s.gates = "B", make([]judged, len(q.Gates))
	}
	first := judge.FewestBlocks(r.evenShare())
	if q.Staged() && len(benchmarks) >= stats.FewestForPrior {
		first = judge.FirstLook // what they scatter is known by then
	}
	if q.Most == 0 && q.onlyWholeNumbers() {
		first = firstExact
	}
	r.Pace = NewPace(q.Budget, q.Most, first)
	r.Keep(q.After, q.Again)
	return r
}

// Contest is the state of variant i, the first behind A being 0.
func (r *Referee) Contest(i int) share.Contest { return *r.contest(r.contenders[i]) }

// Look decides on the variants, given the blocks of each with A, of which each takes perBlock: see LookAfter.
func (r *Referee) Look(blocks [][]judge.Block, perBlock time.Duration) (over bool, err error) {
	for i, s := range r.contenders {
		s.Blocks = blocks[i]
	}
	return r.LookAfter(len(blocks[0]), perBlock)
}

// LookAfter decides on each contender that is not decided yet, after n blocks, or rounds of benchmarks, of which each
// takes so long. The contenders share the level (Holm, or evenly). The first stage of a contender is over when all is
// decided, and the comparison with it unless there is something to confirm; the second one has a single look.
func (r *Referee) LookAfter(n int, each time.Duration) (over bool, err error) {
	err = r.Pace.Look(n, each, func(last bool) error {
		sampled := r.sampled()
		for _, s := range r.contenders {
			if !s.done && !s.Confirming() {
				s.looks = append(s.looks, judge.Look{Blocks: len(s.Blocks), Used: r.Looks[len(r.Looks)-1].Used})
				s.lastLook(last)
			}
		}
		if r.question.WholeBudget && !last {
			return nil
		}
		if err := r.decideAll(); err != nil {
			return err
		}
		if !r.apart {
			err = r.settle(r.contenders, last, each)
		}
		for i := 0; err == nil && r.apart && i < len(r.contenders); i++ {
			err = r.settle(r.contenders[i:i+1], last, each)
		}
		if err == nil && r.apart {
			err = r.resume(sampled, each)
			r.shareTime(n, each/time.Duration(max(1, len(r.contenders))))
		}
		r.Stopped = r.stopped()
		return err
	})
	return r.Stopped != "", err
}

// stopped says why the comparison is over; "" if it goes on.
func (r *Referee) stopped() string {
	why := StoppedDecided
	if len(r.question.Gates) > 0 {
		why = StoppedGates
	}
	for _, s := range r.contenders {
		switch {
		case !s.done:
			return ""
		case s.why == "" && !s.lost:
			why = StoppedConfirmed
		}
	}
	if r.outOfTime {
		return StoppedBudget
	}
	return why
}

// End decides on what there is, whatever ended the measurement of benchmarks: blocks since the last look count, too,
// and a second stage that was broken off has the blocks that it has.
func (r *Referee) End() error {
	for _, s := range r.contenders {
		s.lastLook(s.late && !s.done)
	}
	if err := r.decideAll(); err != nil {
		return err
	}
	for _, s := range r.contenders {
		if s.Confirming() && !s.done {
			s.done = true
			if err := r.confirm(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// Notes are the state of each variant for a progress line: its interval, where there is
// one with two ends.
func (r *Referee) Notes() []string {
	var notes []string
	for _, s := range r.contenders {
		if c := r.contest(s); c.Known && !math.IsInf(c.Verdict.High, 1) {
			notes = append(notes, fmt.Sprintf("%s/A %s", s.name, units.Span(c.Verdict.Low-1, c.Verdict.High-1)))
		}
	}
	return notes
}
