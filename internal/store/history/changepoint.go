package history

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// Change is a point at which a measure changed for good: the runs before it, back to the
// change before, and those from it on are from different distributions.
type Change struct {
	// Entry is the index of the first entry after the change.
	Entry int `json:"entry"`
	// Run and Commit are that entry's. Where LastRun, the last one before, is of another
	// commit, the cause is in what lies between the two.
	Run        string `json:"run"`
	Commit     string `json:"commit,omitempty"`
	LastRun    string `json:"last_run"`
	LastCommit string `json:"last_commit,omitempty"`
	// Ratio is after over before; Before and After are the middles on either side, in
	// the measure's unit.
	Ratio  float64 `json:"ratio"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	// P is the p-value of no change at this point.
	P float64 `json:"p"`
	// Better and Worse say which way it went; both false where the measure has no
	// better side.
	Better bool `json:"better,omitempty"`
	Worse  bool `json:"worse,omitempty"`
}

// ChangeWindow is how many of a series' newest values are searched, and permutations by
// how many shuffles each change is tested. The search takes time by the square of the one
// and in proportion to the other, and more for each change: a series that drifts all the
// way, the worst case, takes a second. 499 shuffles show p-values down to 0.002.
const (
	ChangeWindow = 200
	permutations = 499
)

// ChangePoints finds where the newest of values, oldest first, change at the level alpha. It searches
// their logarithms: a change of a tenth is as large for a fast service as for a slow one. Values under
// floor count as floor. The points are in terms of values: Index, Before and After.
func ChangePoints(values []float64, floor, alpha float64, rng *rand.Rand) ([]stats.ChangePoint, error) {
	start := max(0, len(values)-ChangeWindow)
	logs := make([]float64, len(values)-start)
	for i, v := range values[start:] {
		logs[i] = math.Log(max(v, floor))
	}
	points, err := stats.ChangePoints(logs, stats.ChangeOptions{Alpha: alpha, Permutations: permutations}, rng)
	for i := range points {
		p := &points[i]
		p.Index, p.Before, p.After = p.Index+start, math.Exp(p.Before), math.Exp(p.After)
	}
	return points, err
}

// changes fills in Series.Changes.
func (s *Series) changes(m judge.Measure, alpha float64, rng *rand.Rand) error {
	index := s.counts()
	values := make([]float64, len(index))
	for i, k := range index {
		values[i] = s.Entries[k].Measure.Value
	}
	points, err := ChangePoints(values, m.Floor, alpha, rng)
	if err != nil {
		return fmt.Errorf("find changes of %s: %w", m.Name, err)
	}
	for _, p := range points {
		first, last := s.Entries[index[p.Index]], s.Entries[index[p.Index-1]]
		c := Change{
			Entry: index[p.Index], Run: first.ID, Commit: first.Version(), LastRun: last.ID, LastCommit: last.Version(),
			Ratio: p.After / p.Before, Before: p.Before, After: p.After, P: p.P,
		}
		if m.Better != "" {
			c.Better = (c.Ratio > 1) == (m.Better == judge.Higher)
			c.Worse = !c.Better
		}
		s.Changes = append(s.Changes, c)
	}
	return nil
}
