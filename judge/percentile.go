package judge

import (
	"math"
	"math/rand/v2"

	"github.com/gohone/hone/stats"
)

// resamples is how many times the starts are drawn again for an interval at a level: each bound is 25 draws from the
// end, or 10 at small levels, known to a fifth or a third of its distance.
func resamples(alpha float64) int { return max(1000, int(math.Ceil(20/alpha))) }

// leastLevel is the smallest level that a percentile is compared at: a smaller one takes more draws than it is worth.
const leastLevel = 0.0005

const (
	// leastBeyond is how many observations have to lie beyond a percentile on each side
	// for it to be more than one of the few largest values: p99.9 takes 10,000 requests.
	leastBeyond = 10
	// leastResampled is how many starts, or slices of one start, there have to be for their scatter to be seen.
	leastResampled = 3
)

// decidePooled decides on a percentile of all slices of a variant together, by stats.QuantileRatio; too few requests or
// slices and too small a level are ErrNotObserved, as is a look at which no percentile is decided on.
func decidePooled(m Measure, blocks []Block, o Options) (Verdict, error) {
	whole := o.Alpha
	a, b, pairs, missing := pool(m, blocks)
	few := o.byStudent(len(a))
	if !few {
		o.Alpha = percentileLevel(o)
	}
	if o.Alpha < leastLevel || len(a) < leastResampled && pairs < leastResampled {
		return Verdict{}, ErrNotObserved
	}
	// The draws are the same each time, so that the same slices give the same interval.
	rng := rand.New(rand.NewPCG(uint64(len(a)), 0x686f6e65))
	r, err := stats.QuantileRatio(a, b, m.Quantile, 1-o.Alpha, resamples(o.Alpha), rng)
	if err != nil {
		return Verdict{}, err
	}
	if r.Beyond < leastBeyond {
		return Verdict{}, ErrNotObserved
	}
	if few {
		v, err := o.fewPercentiles(m, a, b)
		if err != nil {
			return v, err
		}
		v.A, v.B, v.Pairs, v.Missing, v.Looks = r.A, r.B, r.Slices, missing, 1
		return v.withTail(a, b, o)
	}
	e := Evidence{Value: r.Value, Low: r.Low, High: r.High, P: r.P, Level: o.Alpha, Starts: len(a)}
	e.Shown = r.P <= m.ownPart()*o.Alpha
	e.EquivalenceLow, e.EquivalenceHigh = r.NarrowLow, r.NarrowHigh
	if n := len(a); n > 1 {
		e.Shown = e.Shown && o.together(e.Value, e.half()/stats.StudentWidth(o.Alpha, n-1), n)
	}
	if len(a) < FewestBlocks(o.Alpha) { // slices of few processes know nothing of the luck of a start
		e.Low, e.High, e.Shown = math.Inf(-1), math.Inf(1), false
		e.EquivalenceLow, e.EquivalenceHigh = e.Low, e.High
	}
	v := e.Verdict(m, o)
	v.Conf, v.Alpha = 1-o.Alpha, whole
	v.A, v.B, v.Pairs, v.Missing, v.Looks, v.Method = r.A, r.B, r.Slices, missing, 1, Bootstrap
	return v.withTail(a, b, o)
}

// pool is what is observed of a percentile in each block that shows it on both sides.
func pool(m Measure, blocks []Block) (a, b [][]stats.Distribution, pairs, missing int) {
	for _, block := range blocks {
		var sideA, sideB []stats.Distribution
		for _, p := range block.Pairs {
			ofA, ofB := p.of(m)
			if len(ofA) == 0 || len(ofB) == 0 {
				missing++
				continue
			}
			sideA, sideB = append(sideA, ofA), append(sideB, ofB)
		}
		pairs += len(sideA)
		if len(sideA) > 0 {
			a, b = append(a, sideA), append(b, sideB)
		}
	}
	return a, b, pairs, missing
}

// fewPercentiles decides on a percentile by few blocks: each has one of its own, and their log ratios are the values.
func (o Options) fewPercentiles(m Measure, a, b [][]stats.Distribution) (Verdict, error) {
	var ofA, ofB []float64
	for i := range a {
		one, okA := stats.Merge(a[i]).Quantile(m.Quantile)
		other, okB := stats.Merge(b[i]).Quantile(m.Quantile)
		if !okA || !okB {
			return Verdict{}, ErrNotObserved
		}
		ofA, ofB = append(ofA, one), append(ofB, other)
	}
	values, err := stats.LogRatios(ofA, ofB)
	if err != nil {
		return Verdict{}, err
	}
	e := o.student(values, make([]float64, len(values)))
	e.Shown = e.Shown && e.P <= m.ownPart()*e.Level
	return e.Verdict(m, o), nil
}
