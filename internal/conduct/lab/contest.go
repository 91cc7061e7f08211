package lab

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/conclusion"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
)

// Compare writes down what became of each variant against the first: the document without
// what depends on how samples were taken. runs are the names of the runs, of A first. Of a
// measurement that was not completed there is no verdict.
func (m *Measurement) Compare(runs []string, status ledger.Status, reason string) *record.Comparison {
	c := &record.Comparison{
		Schema: record.ComparisonSchema, ID: m.Comparison.ID(), Status: status, Reason: reason, Started: m.Started,
		Elapsed: time.Since(m.Started), Seed: m.Task.Seed, Budget: m.Task.Budget, Word: judge.Invalid, Runs: runs,
	}
	for i := 1; i < len(runs); i++ {
		c.Contests = append(c.Contests, record.Contest{A: 0, B: i, Word: judge.Invalid})
	}
	if m.Referee != nil {
		c.Looks, c.Stopped, c.FirstStage = m.Referee.Looks, m.Referee.Stopped, m.Referee.Split()
	}
	if m.sameSource {
		c.Stopped = record.StoppedSameSource
	}
	return c
}

// Rule has the referee decide on all measures of each contest, and holds the gates against
// them. of are the figures of a side. finish completes a contest whose verdicts there are, and its gates.
func (m *Measurement) Rule(c *record.Comparison, blocks func(b int) []judge.Block, of func(side int) judge.Sample,
	finish func(*record.Contest, []gate.Result)) {
	gates := make([][]gate.Result, len(m.Question.Gates))
	for i := range c.Contests {
		contest := &c.Contests[i]
		ruling, err := m.Referee.Rule(contest.B-1, blocks(contest.B))
		if err != nil {
			m.Progress.Warn(err.Error())
		}
		contest.Word, contest.Verdicts = ruling.Word, ruling.Verdicts
		contest.TakeFigures(of(contest.A), of(contest.B))
		finish(contest, ruling.Gates)
		if m.sameSource {
			conclusion.TakeAsSame(contest, ruling.Gates)
		}
		for j, g := range ruling.Gates {
			gates[j] = append(gates[j], g)
		}
	}
	c.Word, c.Gates = c.Contests[0].Word, slices.Concat(gates...)
}

// ExplainCPU explains the verdict on CPU time of a contest by profiles, or is nil where one is
// missing or the verdict has no interval. shareA and shareB are the parts of the CPU time that
// the profiles saw, 0 to 1.
func (m *Measurement) ExplainCPU(c *record.Contest, a, b []prof.Capture, shareA, shareB float64,
	code prof.Code) *diff.Explanation {
	i := slices.IndexFunc(c.Verdicts, func(v judge.Verdict) bool { return v.Measure.Key == measure.CPU.Key })
	if i < 0 {
		return nil
	}
	whole, ok := compare.Whole(c.Verdicts[i])
	if !ok || len(a) == 0 || len(b) == 0 {
		return nil
	}
	whole.A, whole.B = whole.A*shareA, whole.B*shareB
	o := diff.WhyOptions{Code: code, AllocatesToo: conclusion.ChangedAlike(c.Verdicts, measure.Bytes.Key,
		c.Verdicts[i])}
	return m.explain(a, b, whole, c.Verdicts[i].Ratio < 1, o)
}

func (m *Measurement) explain(a, b []prof.Capture, whole diff.Whole, lower bool, o diff.WhyOptions) *diff.Explanation {
	e, err := diff.Why(a, b, whole, lower, o)
	if err != nil {
		m.Progress.Warn(fmt.Sprintf("no explanation from the profiles: %v", err))
		return nil
	}
	return e
}

// compare writes down what became of each variant against the first.
func (m *services) compare(runs []string, status ledger.Status, reason string) *record.Comparison {
	c := m.Measurement.Compare(runs, status, reason)
	c.Arrangement, c.Why = m.arrangement, m.why
	c.Blocks, c.BlockTime = m.sizes.blocks, m.sizes.perBlock()
	c.LinkOrders, c.Spread = len(m.sides[0].builds)-1, m.spread()
	m.noteAnswers(c)
	if status != ledger.Complete {
		return c
	}
	m.Rule(c, m.blocksWith, func(side int) judge.Sample { return m.sides[side].timed.Figures() }, m.finishContest)
	if m.Task.Calibrate {
		c.Calibration = m.calibration()
	} else if slices.ContainsFunc(c.Gates, func(g gate.Result) bool { return g.Outcome == gate.Open }) {
		c.Calibrated = m.lastCalibration()
	}
	checks := make([]*compare.SelfCheckResult, len(m.sides))
	for side := range m.sides {
		// A with B, and every other variant as the second of its contest.
		blocks, which := m.blocksWith(max(1, side)), min(1, side)
		if check, err := compare.SelfCheck(measure.CPU, blocks, which); err == nil {
			checks[side], c.SelfChecks = &check, append(c.SelfChecks, check)
		}
	}
	conclusion.DoubtGates(c, checks)
	return c
}

// finishContest explains the verdicts, and refuses gates on what is not known of the whole
// program.
func (m *services) finishContest(c *record.Contest, gates []gate.Result) {
	if m.Task.RateHz > 0 {
		conclusion.Lead(c)
	} else {
		conclusion.FindOneFact(c)
	}
	a, b := m.sides[c.A], m.sides[c.B]
	conclusion.AllowForChance(c, b.timed.Effects)
	if a.Binary.RunsLike(*b.Binary) {
		conclusion.EqualBuilds(c, gates)
		return
	}
	c.Why = m.ExplainCPU(c, a.profiles.Pieces["cpu"], b.profiles.Pieces["cpu"],
		a.profiles.Covered.ReadShare(), b.profiles.Covered.ReadShare(), a.Code())
	c.Weighed = m.Weigh(c, m.Task.Production, a.profiles.Pieces["cpu"], b.profiles.Pieces["cpu"],
		a.profiles.Covered.ReadShare(), b.profiles.Covered.ReadShare(), a.Code())
	c.WhyAllocs = m.explainAllocs(a, b, c.Verdicts)
	c.WhyTime = conclusion.ExplainTime(a.profiles.Waits.Digest, b.profiles.Waits.Digest)
	c.Gain = m.gains[b]
	c.Caveats = conclusion.Caveats(&a.timed, &b.timed, c)
	for i := range c.Caveats {
		c.Caveats[i].Less = c.Caveats[i].Less && !m.Task.Answers.Allow
	}
	less := c.LessWork()
	for i := range gates {
		if gates[i].Outcome == gate.Passed && less != "" {
			gates[i].Outcome, gates[i].Reason = gate.Open,
				fmt.Sprintf("%s, but not for the same work: %s", gates[i].Reason, less)
		}
		if reason := unknown(gates[i].Gate.Measure, a, b); reason != "" {
			gates[i].Outcome, gates[i].Reason = gate.Open, reason
		}
	}
}

// unknown says why a gate cannot be judged: what it is on was read of a part of the program
// only. It is empty where it can.
func unknown(measure judge.Measure, both ...*service) string {
	if !probed(measure) {
		return ""
	}
	for _, v := range both {
		if v.timed.Covered.Incomplete() {
			return fmt.Sprintf("refused, since %s of %s is not known: %s", measure.Name, v.Binary.Variant.Name,
				v.timed.Covered.Why())
		}
	}
	return ""
}

// blocksWith are the blocks of A and a second variant: the slices that were taken in the same
// round of the same start side by side, and what the starts showed as a whole. A block
// that was broken off is left out.
func (m *services) blocksWith(second int) []judge.Block {
	a, b := m.sides[0], m.sides[second]
	n := min(len(a.timed.Starts), len(b.timed.Starts))
	blocks := make([]judge.Block, n)
	for i := range blocks {
		blocks[i].A, blocks[i].B = a.timed.Starts[i], b.timed.Starts[i]
	}
	for start, pairs := range compare.PairUp(a.timed.Slices(), b.timed.Slices()) {
		if start < n {
			blocks[start].Pairs = pairs
		}
	}
	return blocks
}

// explainAllocs finds the places that allocate more or less, if the verdict on allocations
// says that they differ, from exact counts.
func (m *services) explainAllocs(a, b *service, verdicts []judge.Verdict) *diff.Explanation {
	i := slices.IndexFunc(verdicts, func(v judge.Verdict) bool { return v.Measure.Key == measure.Allocs.Key })
	of, with := a.profiles.Allocs, b.profiles.Allocs
	if i < 0 || len(of) == 0 || len(with) == 0 || verdicts[i].Low <= 1 && verdicts[i].High >= 1 {
		return nil
	}
	o := diff.WhyOptions{Code: a.Code(), SampleType: "alloc_objects", BySite: true}
	e := m.explain(of, with, diff.Whole{A: objects(of), B: objects(with)}, verdicts[i].Ratio < 1, o)
	if e != nil {
		least := max(measure.Allocs.Floor, leastAllocs*math.Abs(objects(with)-objects(of)))
		// What libraries and the runtime allocate for themselves says nothing where lines of the user's allocate.
		some := slices.ContainsFunc(e.Changes, func(c diff.Change) bool { return !c.Outside })
		e.Changes = slices.DeleteFunc(e.Changes, func(c diff.Change) bool {
			return math.Abs(c.Delta) < least || some && c.Outside
		})
	}
	return e
}

// leastAllocs is the part of a change of allocations below which a place does not explain it.
const leastAllocs = 0.1

// objects are the allocations for each request, 0 if there are none.
func objects(captures []prof.Capture) float64 {
	all, err := prof.MergeCaptures(captures)
	if err != nil {
		return 0
	}
	total, err := all.Total(prof.CostOptions{SampleType: "alloc_objects"})
	if err != nil {
		return 0
	}
	return total.PerRequest
}
