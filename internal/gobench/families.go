package gobench

import (
	"errors"
	"math"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/stats"
)

// family is one measure of all benchmarks that have it; the level is shared within it.
type family struct {
	measure  compare.Measure
	contests map[*bench]*compare.Contest
	order    []*bench
	geomean  compare.Contest
}

// families are by measure, in the order in which they were first seen.
type families []*family

func (f families) of(m compare.Measure) *family {
	for _, one := range f {
		if one.measure.Key == m.Key {
			return one
		}
	}
	return &family{measure: m}
}

// enroll makes sure that each measure a benchmark reported has its contest.
func (m *measurement) enroll() {
	for _, b := range m.benches {
		for _, unit := range b.units {
			measure := measureOf(unit)
			f := m.families.of(measure)
			if f.contests == nil {
				f.contests = map[*bench]*compare.Contest{}
				m.families = append(m.families, f)
			}
			if f.contests[b] == nil {
				f.contests[b], f.order = &compare.Contest{}, append(f.order, b)
			}
		}
	}
}

// decideAll decides, on all measures, what is not decided yet.
func (m *measurement) decideAll() error {
	m.enroll()
	for _, f := range m.families {
		contests := make([]*compare.Contest, len(f.order))
		for i, b := range f.order {
			contests[i] = f.contests[b]
		}
		err := compare.Holm(contests, m.request.options().Alpha, func(i int, alpha float64) (compare.Verdict, error) {
			return decide(f.measure, f.order[i].blocks, m.optionsFor(f.order[i], alpha))
		})
		if err != nil {
			return err
		}
		if err := m.decideGeomean(f); err != nil {
			return err
		}
	}
	return nil
}

// decideGeomean decides on the geometric mean over the benchmarks of a family: of each
// round in which all of them ran, their geometric means on A and on B are one sample, so
// that the interval comes from the rounds. As soon as one of them is left out, because it
// is settled, the verdict stays as it is.
func (m *measurement) decideGeomean(f *family) error {
	if len(f.order) < 2 || f.geomean.Decided {
		return nil
	}
	first := f.order[0]
	for _, b := range f.order {
		if len(b.looks) != len(first.looks) {
			return nil
		}
	}
	rounds := math.MaxInt
	for _, b := range f.order {
		rounds = min(rounds, len(b.blocks))
	}
	var blocks []compare.Block
	for i := range rounds {
		blocks = append(blocks, f.means(i))
	}
	// A single question, so the whole level is its own.
	return compare.Holm([]*compare.Contest{&f.geomean}, m.request.options().Alpha, func(_ int, alpha float64) (compare.Verdict, error) {
		return decide(f.measure, blocks, m.optionsFor(first, alpha))
	})
}

// means are the geometric means of a round; NaN, that is not observed, if one is missing.
func (f *family) means(round int) compare.Block {
	key := f.measure.Key
	var logs [2]float64
	for _, b := range f.order {
		for side, s := range []compare.Sample{b.blocks[round].A, b.blocks[round].B} {
			value, ok := s[key]
			if !ok {
				value = math.NaN()
			}
			logs[side] += math.Log(max(value, f.measure.Floor)) / float64(len(f.order))
		}
	}
	return compare.Block{A: compare.Sample{key: math.Exp(logs[0])}, B: compare.Sample{key: math.Exp(logs[1])}}
}

// Exact is the method of a verdict on whole numbers that every process showed alike.
const Exact compare.Method = "exact: all processes of a side agree"

// fewestExact is how many processes have to agree until a number counts as exact.
const fewestExact = 5

// decide is compare.Decide, but for allocations that are the same in all processes of a
// side: those are no sample of anything that scatters, and need no test.
func decide(m compare.Measure, blocks []compare.Block, o compare.Options) (compare.Verdict, error) {
	if m.Key == Allocs.Key || m.Key == Bytes.Key {
		if v, exact := decideExact(m, blocks, o); exact {
			return v, nil
		}
	}
	v, err := compare.Decide(m, blocks, o)
	if err == nil || errors.Is(err, compare.ErrNotObserved) || o.Validate() != nil {
		return v, err
	}
	return v, compare.ErrNotObserved // a value that has no ratio, such as a time of 0
}

func decideExact(m compare.Measure, blocks []compare.Block, o compare.Options) (compare.Verdict, bool) {
	if len(blocks) < fewestExact {
		return compare.Verdict{}, false
	}
	a, okA := blocks[0].A[m.Key]
	b, okB := blocks[0].B[m.Key]
	if !okA || !okB || math.IsNaN(a) || math.IsNaN(b) {
		return compare.Verdict{}, false
	}
	for _, block := range blocks {
		if block.A[m.Key] != a || block.B[m.Key] != b {
			return compare.Verdict{}, false
		}
	}
	d, err := stats.LogRatios([]float64{max(a, m.Floor)}, []float64{max(b, m.Floor)})
	if err != nil {
		return compare.Verdict{}, false
	}
	e := compare.Evidence{Value: d[0], Low: d[0], High: d[0], EquivalenceLow: d[0], EquivalenceHigh: d[0], P: 1, Level: o.Alpha, Starts: len(blocks)}
	if d[0] != 0 {
		e.P, e.Shown = 0, true
	}
	v := e.Verdict(m, o)
	v.A, v.B, v.Pairs, v.Looks = a, b, len(blocks), max(1, len(o.Looks))
	v.Reason, v.Method = "all processes of a side agree", Exact
	return v, true
}
