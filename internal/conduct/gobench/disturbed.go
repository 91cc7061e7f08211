package gobench

import (
	"context"
	"slices"
	"time"

	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/judge"
)

// watched takes a block, and marks its pairs if something else used the machine meanwhile: a difference has to be there
// in calm blocks, too. All processes of a block end within it, so that what was not theirs or hone's was of others.
func (m *measurement) watched(take func() (judge.Block, error)) (judge.Block, error) {
	before, own := m.gauge.Read(), machine.OwnCPU()
	block, err := take()
	if m.gauge.Read().Since(before).WithOwn(machine.OwnCPU() - own).Noticeable() {
		for i := range block.Pairs {
			block.Pairs[i].Disturbed = true
		}
	}
	return block, err
}

const (
	// calmWait is the part of the budget, 1 in calmWait, in which a second stage waits for a calm moment; calmMoment is
	// how long one is.
	calmWait   = 16
	calmMoment = 100 * time.Millisecond
)

// awaitCalm waits until nothing else uses the machine, if the first stage of a benchmark was disturbed: the second one
// then has another neighbour, or none.
func (m *measurement) awaitCalm(ctx context.Context, b *bench) {
	if b.disturbed() == 0 {
		return
	}
	for began := time.Now(); time.Since(began) < m.result.Budget/calmWait && ctx.Err() == nil; {
		before, own := m.gauge.Read(), machine.OwnCPU()
		select {
		case <-ctx.Done():
		case <-time.After(calmMoment):
		}
		if !m.gauge.Read().Since(before).WithOwn(machine.OwnCPU() - own).Noticeable() {
			return
		}
	}
}

// disturbed is how many blocks of a benchmark are marked.
func (b *bench) disturbed() (n int) {
	for _, block := range b.Blocks {
		if slices.ContainsFunc(block.Pairs, func(p judge.Pair) bool { return p.Disturbed }) {
			n++
		}
	}
	return n
}
