package once

import (
	"context"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/units"
)

// rounds executes every variant once, in an order drawn anew, again and again, until the
// referee has seen enough.
func (m *measurement) rounds(ctx context.Context) error {
	m.referee = newReferee(&m.request)
	m.Progress.Phase(fmt.Sprintf("execute %d programs in rounds, in random order", len(m.trials)), m.request.Budget)
	for round := 0; ; round++ {
		for turn, i := range m.rand.Perm(len(m.trials)) {
			if err := m.execute(ctx, m.trials[i], round, turn); err != nil {
				return err
			}
			m.tick(m.trials[i], m.referee.note(round), m.referee.elapsed(), m.request.Budget)
		}
		over, err := m.referee.round(m.blocksOfAll())
		if round == 0 {
			m.warnOfBudget()
		}
		if over || err != nil {
			return err
		}
	}
}

// warnOfBudget says after the first round if the budget cannot hold as many as a verdict
// takes.
func (m *measurement) warnOfBudget() {
	f, fewest := m.referee, compare.FewestBlocks(m.request.options().WithDefaults().Alpha)
	if needs := time.Duration(fewest) * f.perRound(); needs > m.request.Budget {
		m.Progress.Warn(fmt.Sprintf("a round takes %s, and a verdict at least %d of them: give it less to do, or time (--budget %s)",
			units.Seconds(f.perRound()), fewest, (needs*11/10).Truncate(time.Second)+time.Second))
	}
}

// blocksOfAll are the blocks of every variant but A with A.
func (m *measurement) blocksOfAll() [][]compare.Block {
	var all [][]compare.Block
	for i := 1; i < len(m.trials); i++ {
		all = append(all, m.blocks(0, i))
	}
	return all
}

// blocks are the rounds in which both variants were executed.
func (m *measurement) blocks(a, b int) []compare.Block {
	one, two := good(m.trials[a].executions), good(m.trials[b].executions)
	var blocks []compare.Block
	for i := range min(len(one), len(two)) { // a round that was broken off is the last
		blocks = append(blocks, compare.Block{A: one[i].sample(), B: two[i].sample()})
	}
	return blocks
}
