package compare

import (
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/judge"
)

// Question is what a comparison is to answer.
type Question struct {
	// Gated is the measure that the verdict is on, Measures are all that are decided on in the end, Gated among them.
	// Benchmarks have measures of their own: Contender.Measures.
	Gated    judge.Measure
	Measures []judge.Measure
	// Beside are measures that are of interest as much as Gated is: without gates, the comparison goes on within its
	// budget until they are shown to differ, or to be the same within 5 %. They have no part in the verdict.
	Beside []judge.Measure
	// Gates end the comparison once all of them are settled.
	Gates []gate.Gate
	// Function looks at profiles for gates on functions; nil where there are none.
	Function ProfileFunction
	// Earlier, if not nil, says how the units of earlier comparisons of a contender scattered in Gated, or in the measure
	// that settles it.
	Earlier func(*Contender) Earlier
	// Options are those of each decision; Looks is the referee's.
	Options judge.Options
	// Budget is the most time that the blocks may take, Linking what the second stage takes to link other orders.
	Budget, Linking time.Duration
	// After is what follows the last block of benchmarks, Again what is kept for their second stages: both are parts of
	// the budget. What no second stage needs narrows the intervals: see narrow.go.
	After, Again time.Duration
	// Most is the number of blocks that there can be at most; with 0 only the budget bounds them.
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
	// Decide decides on the measures of benchmarks, and Missing says why one does not show a measure.
	Decide  Decider
	Missing func(*Contender, judge.Measure) string
}

// Staged says whether what is found is confirmed: not where the number of blocks is fixed, where the whole budget is
// used to learn what the machine does, or where one stage is enough.
func (q Question) Staged() bool { return q.Most == 0 && !q.WholeBudget && !q.OneStage }

// level is that of all decisions together.
func (q Question) level() float64 { return q.Options.Alpha }

// Decider decides on a measure by blocks, as judge.Decide does.
type Decider func(m judge.Measure, blocks []judge.Block, o judge.Options) (judge.Verdict, error)
