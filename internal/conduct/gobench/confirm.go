package gobench

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

// A benchmark that the first stage would call different, or whose gate fails, is measured again, with fresh processes
// in link orders that it did not have yet: see judge.DecideInStages.

// secondStage is the confirmation of a benchmark.
type secondStage struct {
	from, until int // its blocks
	ready       bool
}

// staged says whether alarms are confirmed: not where the number of rounds is fixed, or one stage is enough.
func (r Task) staged() bool { return r.Count == 0 && !r.OneStage }

// screened are the blocks of the first stage.
func (b *bench) screened() []judge.Block {
	if b.second == nil {
		return b.blocks
	}
	return b.blocks[:b.second.from]
}

// latest are the blocks of the stage that the verdict is of.
func (b *bench) latest() []judge.Block {
	if b.second == nil {
		return b.blocks
	}
	return b.blocks[b.second.from:]
}

// settle moves a benchmark on. When its first stage has a verdict, or no time is left, its second stage begins if there
// is an alarm; otherwise the benchmark is done. In its second stage it is done when it has all of its blocks.
func (m *measurement) settle(b *bench, last bool) error {
	switch {
	case b.done:
		return nil
	case b.second != nil:
		if len(b.blocks) < b.second.until {
			return nil
		}
		b.done = true
		return m.confirm(b)
	case m.settled(b):
	case last && m.task.staged():
		m.outOfTime = true
	default:
		return nil
	}
	n := 0
	if m.task.staged() && !b.failed {
		n = m.alarms(b)
	}
	if n == 0 {
		b.done = true
		return nil
	}
	b.second = &secondStage{from: len(b.blocks), until: len(b.blocks) + n}
	return nil
}

// alarms is how many blocks the confirmation of a benchmark's verdicts takes; 0 where none is an alarm. What is exact
// is none.
func (m *measurement) alarms(b *bench) (n int) {
	target := func(v judge.Verdict) int { // for an interval that is useful
		return int(math.Ceil(float64(v.Starts) * square(v.Resolution/max(v.Delta, math.Abs(v.Ratio-1)/4))))
	}
	for _, f := range m.families {
		c := f.contests[b]
		if c == nil || !c.Shown() || c.Verdict.Method == benchmarks.Exact {
			continue
		}
		n = max(n, judge.ConfirmingBlocks(c.Verdict, math.Inf(1)))
		if f.measure == b.deciding() && len(m.task.Gates) == 0 {
			n = max(n, judge.ConfirmingBlocks(c.Verdict, math.Log(c.Verdict.Ratio)),
				min(target(c.Verdict), 2*c.Verdict.Starts))
		}
	}
	m.judge(b)
	for _, g := range b.gates {
		if g.Outcome != gate.Failed {
			continue
		}
		if v, err := m.onGate(b, g.Gate); err == nil && v.Method != benchmarks.Exact {
			n = max(n, judge.ConfirmingBlocks(v, g.Gate.Distance(v)))
		}
	}
	return n
}

// confirm has the second stage decide on all alarms of a benchmark.
func (m *measurement) confirm(b *bench) error {
	for _, f := range m.families {
		c := f.contests[b]
		if c == nil || !c.Shown() || c.Verdict.Method == benchmarks.Exact {
			continue
		}
		v, err := m.again(b, f.measure, c.Verdict)
		if err != nil {
			return err
		}
		c.Verdict = v
	}
	for i := range b.gates {
		if b.gates[i].Outcome == gate.Failed {
			b.gates[i].Outcome = gate.Open
		}
	}
	m.judge(b)
	return nil
}

// again is the verdict of the second stage on an alarm of the first.
func (m *measurement) again(b *bench, measure judge.Measure, first judge.Verdict) (judge.Verdict, error) {
	second, err := decide(measure, b.latest(), m.task.options().Confirming(first.Alpha))
	return first.ConfirmedBy(second, err)
}

// confirmations is how many blocks are still to be taken for second stages.
func (m *measurement) confirmations() (n int) {
	for _, b := range m.benches {
		if b.second != nil && !b.done {
			n += b.second.until - len(b.blocks)
		}
	}
	return n
}

// readySeconds links more orders for the benchmarks that begin their second stage, so that each of its blocks has one
// that the first stage did not have.
func (m *measurement) readySeconds(ctx context.Context) error {
	began := time.Now()
	for _, b := range m.benches {
		if b.second == nil || b.second.ready || b.done {
			continue
		}
		b.second.ready = true
		m.task.Progress.Phase(fmt.Sprintf("measure %s again, with shuffled function order", b.name), 0)
		if err := m.linkMore(ctx, b, b.second.until-b.second.from, began); err != nil {
			return err
		}
		for i := range b.used { // link orders of the first stage come last
			if b.used[i] > 0 {
				b.used[i] += mostLayouts
			}
		}
	}
	return nil
}

// linkMore adds orders to the pool of a benchmark's package until so many are new to it, as far as there is time: at
// least as many as can confirm anything.
func (m *measurement) linkMore(ctx context.Context, b *bench, wanted int, began time.Time) error {
	p := b.pkg
	if len(p.layouts) == 0 {
		return nil
	}
	i := slices.Index(m.linked.packages, p)
	seeds := build.LayoutSeeds(m.task.Seed, 2*mostLayouts)
	fewest := judge.FewestToConfirm(m.task.options().Alpha / float64(len(m.benches)))
	for n := len(p.layouts) - b.layoutsUsed(); n < wanted && len(p.layouts) < len(seeds); n++ {
		if n >= fewest && time.Since(began) > m.result.Budget/linkShare {
			break
		}
		layout := len(p.layouts) + 1
		if _, err := m.linkBoth(ctx, p, i, layout, seeds[layout-1], m.linked.flags); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return nil // the second stage has those of the first
		}
	}
	return nil
}
