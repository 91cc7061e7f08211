package lab

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/prof"
)

// compare writes down what became of each variant against the first.
func (m *measurement) compare(out *Outcome, status ledger.Status, reason string) *ComparisonRecord {
	r := m.request
	c := &ComparisonRecord{
		Schema: ComparisonSchema, ID: m.comparison.ID(), Status: status, Reason: reason, Started: m.started,
		Elapsed: time.Since(m.started), Seed: r.Seed, Arrangement: m.arrangement, Why: m.why,
		Budget: r.Budget, Blocks: m.sizes.blocks, BlockTime: m.sizes.perBlock(), Word: compare.Invalid,
	}
	for _, run := range out.Runs {
		c.Runs = append(c.Runs, run.ID)
	}
	for i := 1; i < len(m.trials); i++ {
		c.Contests = append(c.Contests, Contest{A: 0, B: i, Word: compare.Invalid})
	}
	if status != ledger.Complete {
		return c
	}
	c.Looks, c.Stopped = m.referee.Looks, m.referee.Stopped
	gates := make([][]compare.GateResult, len(r.Gates))
	for i := range c.Contests {
		for j, g := range m.contest(&c.Contests[i]) {
			gates[j] = append(gates[j], g)
		}
	}
	c.Word, c.Gates = c.Contests[0].Word, slices.Concat(gates...)
	for side := range m.trials {
		// A with B, and every other variant as the second of its contest.
		blocks, which := m.compareBlocks(0, max(1, side)), min(1, side)
		if check, err := compare.SelfCheck(compare.CPU, blocks, which); err == nil {
			c.SelfChecks = append(c.SelfChecks, check)
		}
	}
	return c
}

// contest writes down what is said of a variant in the end, and explains the gated measure.
func (m *measurement) contest(c *Contest) []compare.GateResult {
	ruling, err := m.referee.Rule(c.B-1, m.compareBlocks(c.A, c.B))
	if err != nil {
		m.Progress.Warn(err.Error())
	}
	c.Word, c.Verdicts = ruling.Word, ruling.Verdicts
	if cpu := m.referee.Contest(c.B - 1); cpu.Known {
		c.Why = m.explain(m.trials[c.A], m.trials[c.B], cpu.Verdict)
	}
	c.WhyAllocs = m.explainAllocs(m.trials[c.A], m.trials[c.B], c.Verdicts)
	for i := range ruling.Gates {
		if reason := m.unknown(ruling.Gates[i].Gate.Measure, m.trials[c.A], m.trials[c.B]); reason != "" {
			ruling.Gates[i].Outcome, ruling.Gates[i].Reason = compare.Open, reason
		}
	}
	return ruling.Gates
}

// unknown says why a gate cannot be judged: what it is on was read of a part of the program
// only. It is empty where it can.
func (m *measurement) unknown(measure compare.Measure, both ...*trial) string {
	if !probed(measure) {
		return ""
	}
	for _, t := range both {
		if t.covered.incomplete() {
			return fmt.Sprintf("refused, since %s of %s is not known: %s", measure.Name, t.binary.Variant.Name, t.covered.why())
		}
	}
	return ""
}

// compareBlocks are the blocks of two variants: the slices that were taken in the same
// round of the same start side by side, and what the starts showed as a whole. A block
// that was broken off is left out.
func (m *measurement) compareBlocks(first, second int) []compare.Block {
	a, b := m.trials[first], m.trials[second]
	n := min(len(a.starts), len(b.starts))
	blocks := make([]compare.Block, n)
	for i := range blocks {
		blocks[i].A, blocks[i].B = a.starts[i], b.starts[i]
	}
	type key struct{ block, round int }
	partner := map[key]*sample{}
	for i := range b.samples {
		partner[key{b.samples[i].block, b.samples[i].round}] = &b.samples[i]
	}
	for i := range a.samples {
		s := &a.samples[i]
		other, ok := partner[key{s.block, s.round}]
		if !ok || s.block >= n {
			continue
		}
		blocks[s.block].Pairs = append(blocks[s.block].Pairs, compare.Pair{
			AFirst: s.turn < other.turn, A: s.values(), B: other.values(),
			LatencyA: s.latencies, LatencyB: other.latencies,
		})
	}
	return blocks
}

// values are the measures that a single slice shows. One in which nothing was answered
// has a rate, and no cost per request.
func (s sample) values() compare.Sample {
	v := compare.Sample{compare.Throughput.Key: s.rate()}
	if s.slice.Answered > 0 {
		v[compare.CPU.Key] = s.cpuNanos()
	}
	return v
}

// explain explains the verdict on CPU by the profiles, or is nil where one is missing or
// the verdict has no interval.
func (m *measurement) explain(a, b *trial, v compare.Verdict) *prof.Explanation {
	whole, ok := v.Whole()
	if !ok || len(a.pieces["cpu"]) == 0 || len(b.pieces["cpu"]) == 0 {
		return nil
	}
	whole.A, whole.B = whole.A*a.captured.readShare(), whole.B*b.captured.readShare()
	return m.tell(a.pieces["cpu"], b.pieces["cpu"], whole, v.Ratio < 1, prof.WhyOptions{Code: a.code()})
}

// explainAllocs finds the places that allocate more or less, if the verdict on allocations
// says that they differ, from exact counts.
func (m *measurement) explainAllocs(a, b *trial, verdicts []compare.Verdict) *prof.Explanation {
	i := slices.IndexFunc(verdicts, func(v compare.Verdict) bool { return v.Measure.Key == compare.Allocs.Key })
	if i < 0 || len(a.allocs) == 0 || len(b.allocs) == 0 || verdicts[i].Low <= 1 && verdicts[i].High >= 1 {
		return nil
	}
	o := prof.WhyOptions{Code: a.code(), SampleType: "alloc_objects", BySite: true}
	e := m.tell(a.allocs, b.allocs, prof.Whole{A: objects(a.allocs), B: objects(b.allocs)}, verdicts[i].Ratio < 1, o)
	if e != nil {
		e.Changes = slices.DeleteFunc(e.Changes, func(c prof.Change) bool { return math.Abs(c.Delta) < compare.Allocs.Floor })
	}
	return e
}

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

func (m *measurement) tell(a, b []prof.Capture, whole prof.Whole, lower bool, o prof.WhyOptions) *prof.Explanation {
	e, err := prof.Why(a, b, whole, lower, o)
	if err != nil {
		m.Progress.Warn(fmt.Sprintf("no explanation from the profiles: %v", err))
		return nil
	}
	return e
}

// code is what counts as the user's.
func (t *trial) code() prof.Code {
	return prof.Code{Module: t.binary.Module, MainPackage: t.binary.Package}
}
