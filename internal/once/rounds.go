package once

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/units"
)

// rounds executes every variant once, in an order drawn anew, again and again, until the
// referee has seen enough.
func (m *measurement) rounds(ctx context.Context) error {
	m.referee = compare.NewReferee(m.request.question())
	m.Progress.Phase(fmt.Sprintf("execute %d programs in rounds, in random order", len(m.trials)), m.request.Budget)
	for round := 0; ; round++ {
		for turn, i := range m.rand.Perm(len(m.trials)) {
			if err := m.execute(ctx, m.trials[i], round, turn); err != nil {
				return err
			}
			m.tick(m.trials[i], m.note(round), m.referee.Elapsed(), m.request.Budget)
		}
		m.perRound = m.referee.Elapsed() / time.Duration(round+1)
		if round == 0 {
			m.warnOfBudget()
		}
		if !m.referee.Due(round+1, m.perRound) {
			continue
		}
		if over, err := m.referee.Look(m.blocksOfAll(), m.perRound); over || err != nil {
			return err
		}
	}
}

// note is the state for the progress line: the round, and the interval of each variant.
func (m *measurement) note(round int) string {
	return strings.Join(append([]string{fmt.Sprintf("round %d", round+1)}, m.referee.Notes()...), ", ")
}

// warnOfBudget says after the first round if the budget cannot hold as many as a verdict
// takes.
func (m *measurement) warnOfBudget() {
	fewest := compare.FewestBlocks(m.request.options().WithDefaults().Alpha)
	if needs := time.Duration(fewest) * m.perRound; needs > m.request.Budget {
		m.Progress.Warn(fmt.Sprintf("a round takes %s, and a verdict at least %d of them: give it less to do, or time (--budget %s)",
			units.Seconds(m.perRound), fewest, (needs*11/10).Truncate(time.Second)+time.Second))
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
