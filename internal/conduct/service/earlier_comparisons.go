package service

import (
	"encoding/json"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge/power"
	"github.com/gohone/hone/stats"
)

// spread is that of the blocks so far; nil before it is known.
func (m *services) spread() *record.Spread {
	blocks := m.blocksWith(1)
	if len(blocks) < blocksForSpread {
		return nil
	}
	within, between, _, err := power.Spread(measure.CPU, blocks)
	if err != nil || within == 0 {
		return nil
	}
	return &record.Spread{Within: within, Between: between, Start: m.sizes.start}
}

// plan plans the first blocks by what an earlier comparison saw.
func (s *blockSizes) plan(known *record.Spread) {
	if known == nil || s.fixed > 0 {
		return
	}
	s.start = known.Start
	s.next = stats.Repetitions(stats.BlockVariances{Within: known.Within, Between: known.Between}, s.costs())
}

// searched is how many of the latest runs of a program are searched for what their comparisons
// learned.
const searched = 20

// latest is the latest comparison of the first variant under the plan of this measurement whose
// document has what wanted asks for; false if there is none. A ledger that cannot be read has
// none: nothing that is measured rests on it.
func (m *services) latest(wanted func(record.Comparison) bool) (c record.Comparison, ok bool) {
	v := m.sides[0]
	runs, err := m.Ledger.Runs(ledger.RunFilter{
		Package: v.Binary.Package, Plan: planKey(m.Task, m.targetOf(v), m.Hide).Key(),
		Machine: ledger.MachineKey(m.Env.Description),
		Status:  []ledger.Status{ledger.Complete}, Limit: searched, NoDoc: true,
	})
	if err != nil {
		return c, false
	}
	for _, run := range runs {
		if run.Comparison == "" || run.Variant != v.Letter {
			continue
		}
		row, err := m.Ledger.Comparison(run.Comparison)
		var c record.Comparison
		if err == nil && json.Unmarshal(row.Doc, &c) == nil && c.Schema == record.ComparisonSchema && wanted(c) {
			return c, true
		}
	}
	return c, false
}

// lastSpread is what the latest comparison saw; nil if there is none.
func (m *services) lastSpread() *record.Spread {
	c, ok := m.latest(func(c record.Comparison) bool { return c.Spread != nil })
	if !ok {
		return nil
	}
	return c.Spread
}
