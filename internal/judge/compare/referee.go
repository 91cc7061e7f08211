package compare

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// Why a comparison ended.
const (
	StoppedDecided = "decided"
	StoppedGates   = "gates settled"
	StoppedBudget  = "budget used up"
	// StoppedConfirmed: what the first stage found was measured again.
	StoppedConfirmed = "measured again"
)

// Question is what a comparison of variants is to answer.
type Question struct {
	// Gated is the measure that the verdict is on, Measures are all that are decided on
	// in the end, Gated among them.
	Gated    judge.Measure
	Measures []judge.Measure
	// Beside are measures that are of interest as much as Gated is: without gates, the comparison goes on within its
	// budget until they are shown to differ, or to be the same within 5 %. They have no part in the verdict.
	Beside []judge.Measure
	// Gates end the comparison once all of them are settled.
	Gates []gate.Gate
	// Function looks at profiles for gates on functions; nil where there are none.
	Function ProfileFunction
	// Options are those of each decision; Looks is the referee's.
	Options judge.Options
	// Budget is the most time that the blocks may take, Linking what the second stage takes to link other orders.
	Budget, Linking time.Duration
	// Most is the number of blocks that there can be at most; 0 is no bound.
	Most int
	// Together says that the intervals on the gated measure hold for all variants at once: each
	// variant has an even share of the level, whatever is shown of the others (Bonferroni), and
	// its verdict is that of all blocks. Without it the words hold at once, not the intervals
	// (Holm), and each verdict is of the blocks that it was reached with.
	Together bool
	// WholeBudget says that nothing ends the comparison before the budget does.
	WholeBudget bool
	// OneStage says that no difference is confirmed by a second stage: a search asks again by itself.
	OneStage bool
	// Variants are the names of those that are held against A.
	Variants []string
}

// Referee looks at a comparison from time to time and says when it is over: every
// variant is shown to be different from A or the same, or all gates are settled, or the
// budget is used up. It is for one goroutine.
type Referee struct {
	*Pace
	// Stopped says why the comparison ended; empty while it goes on.
	Stopped string

	question Question
	contests []*judge.Contest // of every variant but A
	// functions are the verdicts of settled gates on functions, by variant and gate.
	functions map[string]judge.Verdict
	targets   []string // that are told apart; nil before TellApart
	// split is the number of blocks of the first stage, once the second has begun.
	split        int
	firstStopped string // why the first stage ended
	ordersMatter bool   // to what the second stage measures again
}

// NewReferee returns a referee whose budget begins to run.
func NewReferee(q Question) *Referee {
	q.Options = q.Options.WithDefaults()
	first := judge.FewestBlocks(q.Options.Alpha)
	if q.staged() {
		first = judge.FirstLook
	}
	r := &Referee{question: q, functions: map[string]judge.Verdict{}, Pace: NewPace(q.Budget, q.Most, first)}
	for range q.Variants {
		r.contests = append(r.contests, &judge.Contest{})
	}
	return r
}

// Contest is the state of variant i, the first behind A being 0.
func (r *Referee) Contest(i int) judge.Contest { return *r.contests[i] }

// Look decides on each variant that is not decided yet, given the blocks of each with A, of which each takes perBlock.
// The variants share the level (Holm, or evenly). The first stage is over when all is decided, and the comparison with
// it unless there is something to confirm; the second one has a single look.
func (r *Referee) Look(blocks [][]judge.Block, perBlock time.Duration) (over bool, err error) {
	q := r.question
	err = r.Pace.Look(len(blocks[0]), perBlock, func(last bool) error {
		if r.Confirming() {
			r.Stopped = cmp.Or(r.firstStopped, StoppedConfirmed)
			return nil
		}
		if q.WholeBudget && !last {
			return nil
		}
		o := r.options()
		share := judge.Holm
		if q.Together {
			share = judge.Bonferroni
		}
		err := share(r.contests, o.Alpha, func(i int, alpha float64) (judge.Verdict, error) {
			o.Alpha = alpha
			return judge.Decide(q.Gated, blocks[i], o)
		})
		undecided := slices.ContainsFunc(r.contests, func(c *judge.Contest) bool { return !c.Decided })
		functions := true
		if err == nil {
			functions, err = r.functionsSettled()
		}
		switch {
		case err != nil:
		case len(q.Gates) > 0 && functions && r.gatesSettled(blocks, last):
			r.Stopped = StoppedGates
		case len(q.Gates) == 0 && !undecided && r.besideSettled(blocks, last):
			r.Stopped = StoppedDecided
		case last:
			r.Stopped = StoppedBudget
		}
		if err != nil || r.Stopped == "" && !r.screened(blocks, perBlock) {
			return err
		}
		return r.confirm(blocks, perBlock)
	})
	return r.Stopped != "", err
}

// gateOptions share the level evenly among the variants: a gate is about the interval,
// and all intervals shall hold at once.
func (r *Referee) gateOptions() judge.Options {
	o := r.options()
	o.Alpha /= float64(len(r.contests))
	return o
}

// options are the rules of a look now, and of decisions after the last one.
func (r *Referee) options() judge.Options {
	o := r.question.Options
	o.Looks, o.Staged, o.Confirm = r.Looks, r.question.staged(), r.split
	if n := len(r.Looks); r.Confirming() && r.Looks[n-1].Blocks > r.split {
		o.Looks = r.Looks[:n-1] // the last look is the second stage's
	}
	return o
}

// screened says that an alarm has to be confirmed now: its confirmation takes all of the budget that is left. With
// gates, a difference gets the fewest blocks that can confirm it, and the gates keep the rest of the time.
func (r *Referee) screened(blocks [][]judge.Block, perBlock time.Duration) bool {
	if !r.question.staged() {
		return false
	}
	wanted, o := 0, r.gateOptions()
	o.Interim = true // there is time for another look
	for i, c := range r.contests {
		switch {
		case !c.Shown():
		case len(r.question.Gates) > 0:
			wanted = max(wanted, judge.LeastToConfirm(c.Verdict, math.Log(c.Verdict.Ratio)))
		default:
			wanted = max(wanted, judge.ConfirmingBlocks(c.Verdict, math.Log(c.Verdict.Ratio)))
		}
		for _, g := range r.question.Gates {
			if g.Function != "" {
				continue
			}
			if v, err := judge.Decide(g.Measure, blocks[i], o); err == nil {
				wanted = max(wanted, g.ConfirmingBlocks(v))
			}
		}
		for _, m := range r.question.Measures {
			if len(r.question.Gates) > 0 || !measure.OfGrowth(m) {
				continue
			}
			if v, err := judge.Decide(m, blocks[i], o); err == nil && v.Word.Different() {
				wanted = max(wanted, judge.LeastToConfirm(v, math.Log(v.Ratio)))
			}
		}
	}
	n := r.Looks[len(r.Looks)-1].Blocks
	untilNext := judge.NextLook(n) - n
	return wanted > 0 && r.Elapsed()+r.question.Linking+time.Duration(untilNext+wanted)*perBlock > r.Budget
}

// Ruling is the final decision on one variant.
type Ruling struct {
	// Word is that on the gated measure, Undecided where it was not observed.
	Word judge.Word
	// Verdicts are those on all measures that were observed, in the order of the question.
	Verdicts []judge.Verdict
	Gates    []gate.Result
}

// Rule decides on every measure of variant i, given its blocks with A, and holds the
// gates against them. Gates are judged by all blocks; the verdict on the gated measure
// stands as it was reached. The error joins those of measures that could not be decided;
// the ruling is without these.
func (r *Referee) Rule(i int, blocks []judge.Block) (Ruling, error) {
	out := Ruling{Word: judge.Undecided}
	var faults []error
	for _, m := range r.question.Measures {
		o := r.gateOptions()
		if m != r.question.Gated && !r.gated(m) {
			o.Questions = len(r.question.Measures)
		}
		switch v, err := judge.DecideInStages(m, blocks, o, r.alarmOn(i, m)); {
		case err == nil:
			out.Verdicts = append(out.Verdicts, v)
		case !errors.Is(err, judge.ErrNotObserved):
			faults = append(faults, err)
		}
	}
	on := func(m judge.Measure) int {
		return slices.IndexFunc(out.Verdicts, func(v judge.Verdict) bool { return v.Measure == m })
	}
	for _, g := range r.question.Gates {
		if g.Function != "" {
			out.Gates = append(out.Gates, r.ruleFunction(i, g, &out))
			continue
		}
		result := gate.Result{
			Gate: g, Variant: r.question.Variants[i], Outcome: gate.Open,
			Reason: fmt.Sprintf("compare %s: %v", g.Measure.Name, judge.ErrNotObserved),
		}
		if at := on(g.Measure); at >= 0 {
			result.Outcome, result.Reason = g.Judge(out.Verdicts[at])
		}
		out.Gates = append(out.Gates, result)
	}
	if at, c := on(r.question.Gated), r.contests[i]; c.Known && at >= 0 {
		c.Verdict = r.onGated(i, out.Verdicts[at])
		out.Verdicts[at], out.Word = c.Verdict, c.Verdict.Word
	}
	return out, errors.Join(faults...)
}

// gated says whether a gate is on a measure.
func (r *Referee) gated(m judge.Measure) bool {
	return slices.ContainsFunc(r.question.Gates, func(g gate.Gate) bool { return g.Measure == m })
}

// alarmOn says which verdicts on a measure are to be confirmed: differences, and those that fail a gate.
func (r *Referee) alarmOn(i int, m judge.Measure) func(judge.Verdict) bool {
	return func(v judge.Verdict) bool {
		return v.Word.Different() || m == r.question.Gated && r.contests[i].Shown() ||
			slices.ContainsFunc(r.question.Gates, func(g gate.Gate) bool {
				outcome, _ := g.Judge(v)
				return g.Measure == m && g.Function == "" && outcome == gate.Failed
			})
	}
}

// Notes are the state of each variant for a progress line: its interval, where there is
// one with two ends.
func (r *Referee) Notes() []string {
	var notes []string
	for i, c := range r.contests {
		if c.Known && !math.IsInf(c.Verdict.High, 1) {
			notes = append(notes, fmt.Sprintf("%s/A %s", r.question.Variants[i],
				units.Span(c.Verdict.Low-1, c.Verdict.High-1)))
		}
	}
	return notes
}
