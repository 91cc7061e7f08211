package search

import (
	"math"
	"slices"
)

// Next is the place to observe next: the one with the largest gain of information for its cost, which is in any unit of
// time. err is the standard error that an observation is going to have. ok is false where no place can be observed.
func (h *History) Next(c Curve, err float64, cost func(place int) float64) (place int, ok bool) {
	best := 0.0
	consider := func(at int, variance float64) {
		if gain := math.Log1p(variance/(err*err)) / cost(at); gain > best {
			best, place, ok = gain, at, true
		}
	}
	for i, at := range c.Points {
		if at > 0 && !h.Closed[at] && h.observed(at) {
			consider(at, c.Err[i]*c.Err[i])
		}
	}
	for i, g := range c.Gaps {
		if !g.Open {
			continue
		}
		at, part := h.middle(g)
		// The level there is that before the step or that after it.
		step := g.Step * part * (1 - part) * (g.Size*g.Size + g.Err*g.Err)
		within := (1-part)*c.Err[i]*c.Err[i] + part*c.Err[i+1]*c.Err[i+1]
		consider(at, step+within)
	}
	return place, ok
}

// middle is the place within a gap that parts its weight most evenly, and the part of the weight up to it.
func (h *History) middle(g Gap) (place int, part float64) {
	whole, sum, nearest := h.weight(g.From, g.To), 0.0, math.Inf(1)
	for at := g.From + 1; at < g.To; at++ {
		sum += h.Weights[at]
		if h.Closed[at] {
			continue
		}
		if d := math.Abs(sum/whole - 0.5); d < nearest {
			nearest, place, part = d, at, sum/whole
		}
	}
	return place, part
}

// Holds is the probability that a search wants: of a step in a gap, before it is over.
const Holds = 0.95

// Found is the gap that has the main step of a difference. It is ok if the step is sure, and no place within the gap
// can be observed.
func (c Curve) Found(difference float64) (gap int, ok bool) {
	if len(c.Gaps) == 0 {
		return 0, false
	}
	i := c.Main(difference)
	return i, c.Gaps[i].Step >= Holds && !c.Gaps[i].Open
}

// Settled says whether each step of a least size is found: no gap that can be parted, and none that is in doubt, is
// expected to change by as much.
func (c Curve) Settled(least float64) bool {
	return !slices.ContainsFunc(c.Gaps, func(g Gap) bool {
		return math.Abs(g.Change()) >= least && (g.Open || g.Step < Holds)
	})
}

// Steps are the gaps with a step of a least size, which are sure and cannot be parted.
func (c Curve) Steps(least float64) (found []int) {
	for i, g := range c.Gaps {
		if g.Step >= Holds && !g.Open && math.Abs(g.Size) >= least {
			found = append(found, i)
		}
	}
	return found
}
