package gobench

import (
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

// disturbed is how many blocks of a benchmark are marked.
func (b *bench) disturbed() (n int) {
	for _, block := range b.Blocks {
		if block.Disturbed() {
			n++
		}
	}
	return n
}
