package judge

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gohone/hone/stats"
)

// Pair is one observation of each variant, taken one right after the other in random order: a slice, which is a short stretch of
// load, a run of a benchmark, or several of each, in turn.
type Pair struct {
	// Disturbed says that one of them was: the machine was noticeably busy with something else.
	Disturbed bool
	// A and B are what the two showed.
	A, B Sample
	// LatencyA and LatencyB are the latencies of all requests of the two, in nanoseconds; empty
	// where nothing was answered.
	LatencyA, LatencyB stats.Distribution
	// FirstByteA and FirstByteB are the times to the first byte of answers that are streams; empty where none was.
	FirstByteA, FirstByteB stats.Distribution
	// TargetsA and TargetsB are the latencies of each target that is told apart, by its name. See Measure.Target.
	TargetsA, TargetsB map[string]stats.Distribution
}

// of are the distributions that a percentile is of.
func (p *Pair) of(m Measure) (a, b stats.Distribution) {
	switch {
	case m.Target != "":
		return p.TargetsA[m.Target], p.TargetsB[m.Target]
	case m.FirstByte:
		return p.FirstByteA, p.FirstByteB
	}
	return p.LatencyA, p.LatencyB
}

// Block is one fresh start of both variants, and the unit of every test.
type Block struct {
	// Pairs are its observations in the order of time; A and B are what each start showed as a whole, of measures PerStart.
	Pairs []Pair
	A, B  Sample
	// Layout is the number of the build of both variants, from 1 on; 0 where each block stands for itself. All blocks
	// of one layout are one unit of the test: no number of starts averages out what the places of its functions cost.
	Layout int
}

// Disturbed says that one of its pairs was.
func (b Block) Disturbed() bool {
	return slices.ContainsFunc(b.Pairs, func(p Pair) bool { return p.Disturbed })
}

// ErrNotObserved is returned where no block shows the measure on both sides. A caller leaves the measure out.
var ErrNotObserved = errors.New("the measure was not observed")

// observed are the values of one measure in the blocks that show it on both sides.
type observed struct {
	a, b    []float64   // of every pair, or of every start
	changes [][]float64 // log ratios B/A, by block
	blocks  []int       // the index of each of those blocks
	pairs   int
	missing int // pairs, or starts, without it
}

func observe(m Measure, blocks []Block) (observed, error) {
	var s observed
	for i, block := range blocks {
		var changes []float64
		for j, p := range m.pairsOf(block) {
			a, okA, errA := m.In(p.A)
			b, okB, errB := m.In(p.B)
			if err := errors.Join(in("A", errA), in("B", errB)); err != nil {
				return observed{}, fmt.Errorf("%s %d of start %d: %w", m.Level, j, i, err)
			}
			if !okA || !okB {
				s.missing++
				continue
			}
			s.a, s.b = append(s.a, a), append(s.b, b)
			d, err := stats.LogRatios([]float64{max(a, m.Floor)}, []float64{max(b, m.Floor)})
			if err != nil {
				return observed{}, err
			}
			changes = append(changes, d[0])
		}
		if len(changes) > 0 {
			s.changes, s.blocks = append(s.changes, changes), append(s.blocks, i)
			s.pairs += len(changes)
		}
	}
	if len(s.blocks) == 0 {
		return observed{}, ErrNotObserved
	}
	return s, nil
}

// pairsOf are the observations of a block at the level of the measure.
func (m Measure) pairsOf(b Block) []Pair {
	if m.Level == PerStart {
		return []Pair{{A: b.A, B: b.B}}
	}
	return b.Pairs
}

func in(variant string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", variant, err)
	}
	return nil
}
