package service

import (
	"iter"

	"github.com/gohone/hone/internal/judge/measure"
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

// earlier are the latest comparisons of the first variant under the plan of this measurement, the newest first.
func (m *services) earlier() iter.Seq[record.Comparison] {
	v := m.sides[0]
	return m.Earlier(v.Side, planKey(m.Task, m.targetOf(v), m.Hide).Key())
}

// latest is the newest of them whose document has what wanted asks for; false if there is none.
func (m *services) latest(wanted func(record.Comparison) bool) (c record.Comparison, ok bool) {
	for c := range m.earlier() {
		if wanted(c) {
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
