package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/internal/text/units"
)

// Why a comparison ended.
const (
	StoppedDecided = "decided"
	StoppedGates   = "gates settled"
	StoppedBudget  = "budget used up"
)

// Question is what a comparison of variants is to answer.
type Question struct {
	// Gated is the measure that the verdict is on, Measures are all that are decided on
	// in the end, Gated among them.
	Gated    Measure
	Measures []Measure
	// Beside are measures that are of interest as much as Gated is: without gates, the comparison goes on within its budget
	// until they are shown to differ, or to be the same within 5 %. They have no part in the verdict.
	Beside []Measure
	// Gates end the comparison once all of them are settled.
	Gates []Gate
	// Function looks at profiles for gates on functions; nil where there are none.
	Function ProfileFunction
	// Options are those of each decision; Looks is the referee's.
	Options Options
	// Budget is the most time that the blocks may take.
	Budget time.Duration
	// Most is the number of blocks that there can be at most; 0 is no bound.
	Most int
	// Together says that the intervals on the gated measure hold for all variants at once: each
	// variant has an even share of the level, whatever is shown of the others (Bonferroni), and
	// its verdict is that of all blocks. Without it the words hold at once, not the intervals
	// (Holm), and each verdict is of the blocks that it was reached with.
	Together bool
	// WholeBudget says that nothing ends the comparison before the budget does.
	WholeBudget bool
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
	contests []*Contest // of every variant but A
	// functions are the verdicts of settled gates on functions, by variant and gate.
	functions map[string]Verdict
	targets   []string // that are told apart; nil before TellApart
}

// NewReferee returns a referee whose budget begins to run.
func NewReferee(q Question) *Referee {
	q.Options = q.Options.WithDefaults()
	r := &Referee{question: q, functions: map[string]Verdict{}, Pace: NewPace(q.Budget, q.Most, FewestBlocks(q.Options.Alpha))}
	for range q.Variants {
		r.contests = append(r.contests, &Contest{})
	}
	return r
}

// Contest is the state of variant i, the first behind A being 0.
func (r *Referee) Contest(i int) Contest { return *r.contests[i] }

// Look decides on each variant that is not decided yet, given the blocks of each with A, of
// which each takes perBlock. The variants share the level (Holm, or evenly).
func (r *Referee) Look(blocks [][]Block, perBlock time.Duration) (over bool, err error) {
	q := r.question
	err = r.Pace.Look(len(blocks[0]), perBlock, func(last bool) error {
		if q.WholeBudget && !last {
			return nil
		}
		o := q.Options
		o.Looks = r.Looks
		share := Holm
		if q.Together {
			share = evenly
		}
		err := share(r.contests, o.Alpha, func(i int, alpha float64) (Verdict, error) {
			o.Alpha = alpha
			return Decide(q.Gated, blocks[i], o)
		})
		undecided := slices.ContainsFunc(r.contests, func(c *Contest) bool { return !c.Decided })
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
		return err
	})
	return r.Stopped != "", err
}

// gateOptions share the level evenly among the variants: a gate is about the interval,
// and all intervals shall hold at once.
func (r *Referee) gateOptions() Options {
	o := r.question.Options
	o.Alpha /= float64(len(r.contests))
	o.Looks = r.Looks
	return o
}

// Ruling is the final decision on one variant.
type Ruling struct {
	// Word is that on the gated measure, Undecided where it was not observed.
	Word Word
	// Verdicts are those on all measures that were observed, in the order of the question.
	Verdicts []Verdict
	Gates    []GateResult
}

// Rule decides on every measure of variant i, given its blocks with A, and holds the
// gates against them. Gates are judged by all blocks; the verdict on the gated measure
// stands as it was reached. The error joins those of measures that could not be decided;
// the ruling is without these.
func (r *Referee) Rule(i int, blocks []Block) (Ruling, error) {
	out := Ruling{Word: Undecided}
	var faults []error
	for _, m := range r.question.Measures {
		switch v, err := Decide(m, blocks, r.gateOptions()); {
		case err == nil:
			out.Verdicts = append(out.Verdicts, v)
		case !errors.Is(err, ErrNotObserved):
			faults = append(faults, err)
		}
	}
	on := func(m Measure) int {
		return slices.IndexFunc(out.Verdicts, func(v Verdict) bool { return v.Measure == m })
	}
	for _, g := range r.question.Gates {
		if g.Function != "" {
			out.Gates = append(out.Gates, r.ruleFunction(i, g, &out))
			continue
		}
		result := GateResult{
			Gate: g, Variant: r.question.Variants[i], Outcome: Open,
			Reason: fmt.Sprintf("compare %s: %v", g.Measure.Name, ErrNotObserved),
		}
		if at := on(g.Measure); at >= 0 {
			result.Outcome, result.Reason = g.Judge(out.Verdicts[at])
		}
		out.Gates = append(out.Gates, result)
	}
	if at, c := on(r.question.Gated), r.contests[i]; c.Known && at >= 0 {
		if r.question.Together {
			c.Verdict = out.Verdicts[at]
		}
		out.Verdicts[at], out.Word = c.Verdict, c.Verdict.Word
	}
	return out, errors.Join(faults...)
}

// Notes are the state of each variant for a progress line: its interval, where there is
// one with two ends.
func (r *Referee) Notes() []string {
	var notes []string
	for i, c := range r.contests {
		if c.Known && !math.IsInf(c.Verdict.High, 1) {
			notes = append(notes, fmt.Sprintf("%s/A %s", r.question.Variants[i], units.Span(c.Verdict.Low-1, c.Verdict.High-1)))
		}
	}
	return notes
}
