package stats

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// OverlapResult is how much two distributions have in common; all are shares, 0 ... 1.
type OverlapResult struct {
	// Overlap is the estimate, corrected for the chance that makes samples differ; Low ... High is its interval.
	Overlap, Low, High float64
	// Observed is the overlap of the samples as they are. It is too low: chance alone makes two samples differ.
	Observed float64
	// Ceiling is what two samples of this size, both of one distribution, would show on average.
	Ceiling float64
	// Real says of each category whether its shares differ by more than chance moves them apart, by 3.5 standard
	// errors.
	Real []bool
}

// Weighted is a sample of a distribution over categories.
type Weighted struct {
	// Weights are those of the categories, in any unit.
	Weights []float64
	// Observations is how many observations the weights stand for.
	Observations float64
}

// Overlap estimates the overlap of two distributions over the same categories: the sum of the smaller of both shares.
// It is the similarity of Czekanowski (1909, "Zur Differentialdiagnose der Neandertalgruppe"), one minus the
// dissimilarity of Bray and Curtis (1957, "An Ordination of the Upland Forest Communities of Southern Wisconsin",
// Ecological Monographs 27) of shares, and one minus their distance in total variation.
//
// conf is the confidence of the interval, 0 ... 1.
//
// Observed is below the truth, by about half the sum of the standard errors of the differences: chance moves shares
// apart that are equal. A parametric bootstrap says how far (Davison & Hinkley 1997, "Bootstrap Methods and their
// Application", sections 2.2 and 5.2: the basic interval). It draws rounds pairs of samples, with a Poisson number of
// observations in each category. What it draws from decides: differences that chance made count as real ones there. So
//
//   - the estimate draws after each difference d with the standard error s was multiplied by max(0, 1 - s^2/d^2), the
//     positive part of James & Stein (1961, "Estimation with Quadratic Loss") for one category;
//   - Low draws from the shares as they are, which takes all differences for real;
//   - High takes only those over 3.5 s for real. It adds the share of the categories that neither sample has
//     (Good 1953, "The Population Frequencies of Species", Biometrika 40: that of those seen once).
//
// The interval is therefore wide where there are few observations for many categories, and covers more than conf.
// Ceiling is the mean of draws from both samples together. TestOverlapIntervalsCover simulates how often the interval
// holds the truth.
func Overlap(a, b Weighted, conf float64, rounds int, rng *rand.Rand) (OverlapResult, error) {
	if err := checkOverlap(a, b, conf, rounds); err != nil {
		return OverlapResult{}, fmt.Errorf("overlap: %w", err)
	}
	p, q := shares(a.Weights), shares(b.Weights)
	o := overlapDraws{p: p, q: q, na: a.Observations, nb: b.Observations, rounds: rounds, rng: rng}
	r := OverlapResult{Observed: commonShare(p, q), Real: make([]bool, len(p))}
	for i := range r.Real {
		r.Real[i] = beyondChance(o.squared(i)) > 0
	}
	_, equal := o.from(func(float64) float64 { return 0 })
	r.Ceiling = meanOf(equal)
	tail := (1 - conf) / 2
	rank := func(q float64) int { return int(math.Round(q * float64(rounds-1))) }
	// What is drawn lies below what it is drawn from as far as what was observed lies below the truth.
	corrected := func(common, drawn float64) float64 { return min(max(r.Observed+common-drawn, 0), 1) }
	common, draws := o.from(jamesStein)
	r.Overlap = corrected(common, meanOf(draws))
	common, draws = o.from(func(float64) float64 { return 1 })
	r.Low = min(corrected(common, draws[rank(1-tail)]), r.Overlap)
	common, draws = o.from(beyondChance)
	r.High = min(max(corrected(common, draws[rank(tail)]), r.Overlap)+o.unseen(), 1)
	return r, nil
}

func checkOverlap(a, b Weighted, conf float64, rounds int) error {
	if len(a.Weights) != len(b.Weights) {
		return fmt.Errorf("%d categories of one, %d of the other", len(a.Weights), len(b.Weights))
	}
	for _, of := range []Weighted{a, b} {
		sum := 0.0
		for i, w := range of.Weights {
			if !(w >= 0) || math.IsInf(w, 0) {
				return fmt.Errorf("weight %d is %v", i, w)
			}
			sum += w
		}
		if !(sum > 0) || math.IsInf(sum, 0) {
			return errors.New("the weights of a sample add up to nothing, or to no number")
		}
	}
	na, nb := a.Observations, b.Observations
	if !(na >= 1 && nb >= 1) || math.IsInf(na+nb, 0) || !(conf > 0 && conf < 1) || rounds < 1 {
		return fmt.Errorf("%v and %v observations, confidence %v, %d rounds", na, nb, conf, rounds)
	}
	return nil
}

// shares are weights as parts of their sum.
func shares(weights []float64) []float64 {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	out := make([]float64, len(weights))
	for i, w := range weights {
		out[i] = w / sum
	}
	return out
}

// commonShare is the sum of the smaller of both shares.
func commonShare(p, q []float64) (sum float64) {
	for i := range p {
		sum += min(p[i], q[i])
	}
	return min(sum, 1)
}

// jamesStein is how much of a difference is kept that is so many standard errors large, squared.
func jamesStein(squared float64) float64 { return max(0, 1-1/squared) }

// beyondChance keeps only differences that chance does not make.
func beyondChance(squared float64) float64 {
	if squared < chance*chance {
		return 0
	}
	return 1
}

// chance is how many standard errors a difference by chance has at most: one of 2,000 has more.
const chance = 3.5

// overlapDraws draws pairs of samples as large as two that were observed.
type overlapDraws struct {
	p, q   []float64 // the shares that were observed
	na, nb float64
	rounds int
	rng    *rand.Rand
}

// from draws from the shares of both samples together, and from these moved apart by a part of what was observed. It
// returns the overlap of what it draws from, and those of the samples in ascending order.
func (o overlapDraws) from(kept func(squared float64) float64) (common float64, drawn []float64) {
	p, q := make([]float64, len(o.p)), make([]float64, len(o.p))
	for i := range p {
		m, part := o.count(i)/(o.na+o.nb), kept(o.squared(i))
		p[i], q[i] = m+part*(o.p[i]-m), m+part*(o.q[i]-m)
	}
	p, q = shares(p), shares(q)
	x, y := make([]float64, len(p)), make([]float64, len(p))
	drawn = make([]float64, o.rounds)
	for i := range drawn {
		if drawCounts(x, p, o.na, o.rng) > 0 && drawCounts(y, q, o.nb, o.rng) > 0 {
			drawn[i] = commonShare(shares(x), shares(y))
		}
	}
	slices.Sort(drawn)
	return commonShare(p, q), drawn
}

// count is how many observations of both samples are of a category.
func (o overlapDraws) count(i int) float64 { return o.na*o.p[i] + o.nb*o.q[i] }

// squared is how many standard errors the shares of a category differ by, squared. One observation more is assumed, and
// half of one less of a difference (Yates' correction): else a single observation of the smaller sample would be far
// beyond chance.
func (o overlapDraws) squared(i int) float64 {
	m := min((o.count(i)+1)/(o.na+o.nb), 0.5)
	d := max(0, math.Abs(o.p[i]-o.q[i])-0.5/min(o.na, o.nb))
	return d * d / (m * (1 - m) * (1/o.na + 1/o.nb))
}

// unseen is the share of the categories that neither sample has, after Good: that of those seen once.
func (o overlapDraws) unseen() float64 {
	once := 0.0
	for i := range o.p {
		if count := o.count(i); count > 0.5 && count < 1.5 {
			once++
		}
	}
	return once / (o.na + o.nb)
}

// drawCounts draws how many of about n observations are of each category, and returns how many there are.
func drawCounts(counts, p []float64, n float64, rng *rand.Rand) (sum float64) {
	for i, share := range p {
		counts[i] = drawPoisson(n*share, rng)
		sum += counts[i]
	}
	return sum
}

// drawPoisson draws from the Poisson distribution of a mean: by multiplication (Knuth, "The Art of Computer
// Programming", volume 2, section 3.4.1), and of a large mean by the normal distribution near it.
func drawPoisson(mean float64, rng *rand.Rand) float64 {
	const large = 30
	if mean > large {
		return max(0, math.Round(mean+math.Sqrt(mean)*rng.NormFloat64()))
	}
	count, limit := 0.0, math.Exp(-mean)
	for product := rng.Float64(); product > limit; product *= rng.Float64() {
		count++
	}
	return count
}

func meanOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
