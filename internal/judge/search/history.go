package search

import (
	"fmt"
	"math"
	"slices"
)

// Observation is one paired comparison of a place with place 0.
type Observation struct {
	Place int `json:"place"`
	// Log is the logarithm of the measure at the place relative to place 0, Err its standard error.
	Log float64 `json:"log"`
	Err float64 `json:"err"`
}

// History is a line of places, and what is known of them. The slices have an element for each place.
type History struct {
	// Weights say how likely each place is to have a step, relative to the others. That of place 0 means nothing.
	Weights []float64
	// Closed places cannot be observed.
	Closed []bool
	// Observations are in the order in which they were made.
	Observations []Observation
	// Equal are pairs of places, the first below the second, that do not differ: no place after the first, up to the
	// second, has a step.
	Equal [][2]int
}

// New is a history of n places after place 0, each as likely to have a step as another.
func New(n int) *History {
	h := &History{Weights: make([]float64, n+1), Closed: make([]bool, n+1)}
	for i := range h.Weights {
		h.Weights[i] = 1
	}
	return h
}

// Last is the last place.
func (h *History) Last() int { return len(h.Weights) - 1 }

// Observe adds a comparison. Its error is at least leastErr: no comparison is exact to the last digit.
func (h *History) Observe(o Observation) error {
	if o.Place < 1 || o.Place > h.Last() || math.IsNaN(o.Log) || math.IsInf(o.Log, 0) || !(o.Err >= 0) ||
		math.IsInf(o.Err, 0) {
		return fmt.Errorf("observation %+v of a history of places 0 to %d: want one of these after the first, and finite numbers", o, h.Last())
	}
	o.Err = max(o.Err, leastErr)
	h.Observations = append(h.Observations, o)
	return nil
}

// leastErr is a hundredth of a per cent.
const leastErr = 1e-4

// observed says whether a place was compared with place 0.
func (h *History) observed(place int) bool {
	return place == 0 || slices.ContainsFunc(h.Observations, func(o Observation) bool { return o.Place == place })
}

// points are the places that were observed, with both ends, in their order.
func (h *History) points() []int {
	points := []int{0, h.Last()}
	for _, o := range h.Observations {
		points = append(points, o.Place)
	}
	for _, e := range h.Equal {
		points = append(points, e[0], e[1])
	}
	slices.Sort(points)
	return slices.Compact(points)
}

// equal says whether no place after from, up to to, can have a step.
func (h *History) equal(from, to int) bool {
	return slices.ContainsFunc(h.Equal, func(e [2]int) bool { return e[0] <= from && to <= e[1] })
}

// weight is that of the places after from, up to to.
func (h *History) weight(from, to int) (sum float64) {
	for _, w := range h.Weights[from+1 : to+1] {
		sum += w
	}
	return sum
}

// open says whether a place after from and before to can be observed.
func (h *History) open(from, to int) bool {
	for place := from + 1; place < to; place++ {
		if !h.Closed[place] {
			return true
		}
	}
	return false
}
