package noop

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/gotest"
)

// measurement is one session at work.
type measurement struct {
	config
	journal *bed.Journal[record]
}

// gated is the part of the no-op commits that have gates, 1 in gated. With gates a comparison ends when they are
// decided.
const gated = 4

// take carries out one trial. A calibration that it needs is a record of its own.
func (m measurement) take(ctx context.Context, t trial) (records []record, err error) {
	dir, err := os.MkdirTemp(m.Dir, "noop-")
	if err != nil {
		return nil, fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	r := record{Repo: t.Repo, Commit: t.Name(), Kind: t.Kind, Planted: t.planted, Budget: m.trial, LeavesOut: true}
	if r.Budget == 0 {
		r.Budget = leastBudget + rand.N(mostBudget-leastBudget).Round(time.Second)
	}
	trees, err := m.clones.CheckOut(ctx, t.Commit, dir)
	if err != nil {
		return nil, err
	}
	if t.planted > 0 {
		s := corpus.SlopeInForce(m.journal.Records, func(o record) *corpus.Slope { return o.slopeOf(r) }, time.Now())
		if s == nil {
			if s, err = t.Calibrate(ctx, m.clones, m.Hone); err != nil {
				return nil, err
			}
			records = append(records, record{Repo: t.Repo, Commit: r.Commit, Slope: s})
		}
		if r.Iterations, err = s.For(t.planted); err != nil {
			return records, err
		}
		if err := corpus.SubjectOf(t.Repo).Plant(ctx, trees[1], r.Iterations); err != nil {
			return records, err
		}
	}
	sides, err := t.Build(ctx, trees, dir)
	if err != nil {
		return records, err
	}
	if r.OtherText, err = corpus.OtherText(sides[0].Program, sides[1].Program); err != nil {
		return records, err
	}
	var gates []string
	if r.Gates = t.planted == 0 && rand.IntN(gated) == 0; r.Gates {
		gates = t.Commit.Gates()
	}
	said, err := t.Commit.Ask(ctx, m.Hone, trees[1], r.Budget, gates...)
	if err != nil {
		return records, err
	}
	r.Said = &said
	if t.planted == 0 && t.Benchmark != "" && said.Unmeasured == "" {
		c, err := gotest.OldThenNew(ctx, sides[0], sides[1], r.Budget)
		if err != nil {
			return records, err
		}
		r.Classic = &c
	}
	return append(records, r), nil
}
