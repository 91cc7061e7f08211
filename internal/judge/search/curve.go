package search

import (
	"math"
)

// Gap is what lies between two observed places: a step in it is at a place after From, at To at the latest.
type Gap struct {
	From int `json:"from"`
	To   int `json:"to"`
	// Step is the probability that the level changes in the gap.
	Step float64 `json:"step"`
	// Size is the expected change of the logarithm of the measure, Err its standard deviation, both given that there is
	// a step.
	Size float64 `json:"size"`
	Err  float64 `json:"err"`
	// Open says that a place within the gap can be observed.
	Open bool `json:"open,omitempty"`
}

// Change is the expected change in the gap, of the logarithm of the measure.
func (g Gap) Change() float64 { return g.Step * g.Size }

// Curve is what is known of the measure along a history.
type Curve struct {
	// Points are the observed places. Level is the expected logarithm of the measure there, relative to place 0, and
	// Err its standard deviation.
	Points []int     `json:"points"`
	Level  []float64 `json:"level"`
	Err    []float64 `json:"err"`
	// Gaps lie between the points, one fewer.
	Gaps []Gap `json:"gaps"`

	weights []float64 // of the places, for the way within a gap
}

// Curve works out what the observations say.
func (h *History) Curve() Curve {
	p := newPartitions(h)
	c := Curve{Points: p.points, Level: make([]float64, len(p.points)), Err: make([]float64, len(p.points)),
		weights: h.Weights}
	// Sums over all segments of the partition that can hold a point: a segment is a run of points without a step
	// between them.
	square := make([]float64, len(p.points))
	steps := make([]float64, len(p.points))
	first := make([]float64, len(p.points)) // expected change at each point, of partitions with a step before it
	second := make([]float64, len(p.points))
	p.segments(func(from, to int, probability, mean, variance float64) {
		for i := from; i <= to; i++ {
			c.Level[i] += probability * mean
			square[i] += probability * (mean*mean + variance)
		}
		if from > 0 {
			steps[from] += probability
		}
	})
	p.neighbours(func(at int, probability, mean, variance float64) {
		first[at] += probability * mean
		second[at] += probability * (mean*mean + variance)
	})
	for i := range c.Points {
		c.Err[i] = math.Sqrt(max(0, square[i]-c.Level[i]*c.Level[i]))
		if i == 0 {
			continue
		}
		g := Gap{From: c.Points[i-1], To: c.Points[i], Step: min(1, steps[i]), Open: h.open(c.Points[i-1], c.Points[i])}
		if steps[i] > 0 {
			g.Size = first[i] / steps[i]
			g.Err = math.Sqrt(max(0, second[i]/steps[i]-g.Size*g.Size))
		}
		if h.equal(g.From, g.To) {
			g.Open = false // nothing in it can be found
		}
		c.Gaps = append(c.Gaps, g)
	}
	return c
}

// Main is the gap with the largest expected change in the direction of a difference: the index among Gaps.
func (c Curve) Main(difference float64) int {
	best := 0
	for i, g := range c.Gaps {
		if math.Copysign(1, difference)*g.Change() > math.Copysign(1, difference)*c.Gaps[best].Change() {
			best = i
		}
	}
	return best
}

// Places are the probabilities of a step at each place. Within a gap they are as the weights of the places.
func (c Curve) Places() []float64 {
	all := make([]float64, len(c.weights))
	for _, g := range c.Gaps {
		sum := 0.0
		for _, w := range c.weights[g.From+1 : g.To+1] {
			sum += w
		}
		for i := g.From + 1; i <= g.To; i++ {
			if sum > 0 {
				all[i] = g.Step * c.weights[i] / sum
			}
		}
	}
	return all
}
