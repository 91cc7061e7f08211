package lab

import (
	"encoding/json"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// Spread is how the values of a comparison scattered, and what its starts cost: what the next
// comparison under the same plan plans its blocks by, until it knows better.
type Spread struct {
	// Within and Between are variances of log ratios of CPU time per request: of a pair around
	// its start, and of a start beyond what its pairs explain.
	Within  float64 `json:"within"`
	Between float64 `json:"between"`
	// Start is what a block took besides its slices.
	Start time.Duration `json:"start_ns"`
}

// spread is that of the blocks so far; nil before it is known.
func (m *services) spread() *Spread {
	blocks := m.blocksWith(1)
	if len(blocks) < learnedBlocks {
		return nil
	}
	within, between, _, err := judge.Spread(measure.CPU, blocks)
	if err != nil || within == 0 {
		return nil
	}
	return &Spread{Within: within, Between: between, Start: m.sizes.start}
}

// plan plans the first blocks by what an earlier comparison saw.
func (s *blockSizes) plan(known *Spread) {
	if known == nil || s.fixed > 0 {
		return
	}
	s.start = known.Start
	s.next = stats.Repetitions(known.Within, known.Between, float64(s.start), float64(s.round))
}

// searched is how many of the latest runs of a program are searched for what their comparisons
// learned.
const searched = 20

// latest is the latest comparison of the first variant under the plan of this measurement whose
// document has what wanted asks for; false if there is none. A ledger that cannot be read has
// none: nothing that is measured rests on it.
func (m *services) latest(wanted func(ComparisonRecord) bool) (c ComparisonRecord, ok bool) {
	v := m.sides[0]
	runs, err := m.Ledger.Runs(ledger.RunFilter{
		Package: v.binary.Package, Plan: m.request.plan(m.targetOf(v), m.hide).Key(), Machine: ledger.MachineKey(m.env.Description),
		Status: []ledger.Status{ledger.Complete}, Limit: searched, NoDoc: true,
	})
	if err != nil {
		return c, false
	}
	for _, run := range runs {
		if run.Comparison == "" || run.Variant != v.letter {
			continue
		}
		row, err := m.Ledger.Comparison(run.Comparison)
		var c ComparisonRecord
		if err == nil && json.Unmarshal(row.Doc, &c) == nil && c.Schema == ComparisonSchema && wanted(c) {
			return c, true
		}
	}
	return c, false
}

// lastSpread is what the latest comparison saw; nil if there is none.
func (m *services) lastSpread() *Spread {
	c, ok := m.latest(func(c ComparisonRecord) bool { return c.Spread != nil })
	if !ok {
		return nil
	}
	return c.Spread
}
