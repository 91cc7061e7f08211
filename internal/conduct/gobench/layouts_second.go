package gobench

import (
	"context"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/program/build"
)

// A benchmark that the first stage would call different, or whose gate fails, is measured again, with fresh processes
// in link orders that it did not have yet: see judge.DecideInStages.

// readySeconds links more orders for the benchmarks that begin their second stage, so that each of its blocks has one
// that the first stage did not have.
func (m *measurement) readySeconds(ctx context.Context) error {
	began := time.Now()
	for _, b := range m.benches {
		if !b.Confirming() || b.ready || b.Done() {
			continue
		}
		b.ready = true
		m.task.Progress.Phase(fmt.Sprintf("measure %s again, with shuffled function order", b.name), 0)
		if err := m.linkMore(ctx, b, b.Again(), began); err != nil {
			return err
		}
		if b.disturbed() > 0 {
			m.gauge.AwaitCalm(ctx, m.result.Budget)
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
	seeds := build.LayoutSeeds(m.task.Seed, 2*mostLayouts)
	for n := len(p.layouts) - b.layoutsUsed(); n < wanted && len(p.layouts) < len(seeds); n++ {
		if n >= m.referee.FewestAgain() && time.Since(began) > m.result.Budget/linkShare {
			break
		}
		layout := len(p.layouts) + 1
		if _, err := m.linkBoth(ctx, p, layout, seeds[layout-1]); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return nil // the second stage has those of the first
		}
	}
	return nil
}
