package compare

import (
	"errors"
	"slices"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// Exact is the method of a verdict on whole numbers that every process showed alike.
const Exact judge.Method = "exact: all samples of a side agree"

// fewestExact is how many pairs have to agree until a number counts as exact.
const fewestExact = 5

// DecideOperations is judge.Decide for benchmarks, but for allocations that are the same in all samples of a
// side: those are not samples of anything that scatters, and need no test.
func DecideOperations(m judge.Measure, blocks []judge.Block, o judge.Options) (judge.Verdict, error) {
	if wholeNumber(m) {
		if v, exact := decideExact(m, blocks, o); exact {
			return v, nil
		}
		blocks = calm(blocks)
	}
	v, err := judge.Decide(m, blocks, o)
	if err == nil || errors.Is(err, judge.ErrNotObserved) || o.Validate() != nil {
		return v, err
	}
	return v, judge.ErrNotObserved // a value that has no ratio, such as a time of 0
}

// wholeNumber says that a measure of benchmarks is one that samples may agree in.
func wholeNumber(m judge.Measure) bool {
	return m.Key == measure.OperationAllocs.Key || m.Key == measure.OperationBytes.Key
}

// firstExact is how many rounds the first look comes after where all gates are on whole numbers: two starts agree, or
// they do not.
const firstExact = 2

// onlyWholeNumbers says that all gates are on them.
func (q Question) onlyWholeNumbers() bool {
	return len(q.Gates) > 0 && !slices.ContainsFunc(q.Gates, func(g gate.Gate) bool { return !wholeNumber(g.Measure) })
}

// calm are the blocks without marks of what the machine did: no neighbour changes what a benchmark allocates.
func calm(blocks []judge.Block) []judge.Block {
	var all []judge.Block
	for _, b := range blocks {
		b.Pairs = slices.Clone(b.Pairs)
		for i := range b.Pairs {
			b.Pairs[i].Disturbed = false
		}
		all = append(all, b)
	}
	return all
}

func decideExact(m judge.Measure, blocks []judge.Block, o judge.Options) (judge.Verdict, bool) {
	a, b, pairs, agree := agreed(m.Key, blocks)
	if !agree || pairs < fewestExact {
		return judge.Verdict{}, false
	}
	d, err := stats.LogRatios([]float64{max(a, m.Floor)}, []float64{max(b, m.Floor)})
	if err != nil {
		return judge.Verdict{}, false
	}
	e := judge.Evidence{Value: d[0], Low: d[0], High: d[0], EquivalenceLow: d[0], EquivalenceHigh: d[0], P: 1,
		Level: o.Alpha, Starts: len(blocks)}
	if d[0] != 0 {
		e.P, e.Shown = 0, true
	}
	v := e.Verdict(m, o)
	v.A, v.B, v.Pairs, v.Looks = a, b, pairs, max(1, len(o.Looks))
	v.Reason, v.Method = "all samples of a side agree", Exact
	return v, true
}

// agreed are the values of A and B if all pairs have the same.
func agreed(key string, blocks []judge.Block) (a, b float64, pairs int, agree bool) {
	for _, block := range blocks {
		for _, p := range block.Pairs {
			x, okX := p.A[key]
			y, okY := p.B[key]
			if pairs == 0 {
				a, b = x, y
			}
			if !okX || !okY || x != a || y != b { // NaN is like nothing
				return 0, 0, 0, false
			}
			pairs++
		}
	}
	return a, b, pairs, pairs > 0
}
