package power

import (
	"cmp"
	"math"
	"slices"

	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
)

// WidthOf takes the variance of a verdict's blocks apart: what pairs leave in a start, what starts of one link
// order have beyond that, and what link orders have beyond these, by the analysis of variance with random effects
// (Searle, Casella & McCulloch 1992, "Variance Components", 3.6). nil where the interval is no wider than the
// tolerance, or has no ends, and for measures that are no average of pairs or starts.
func WidthOf(v judge.Verdict, blocks []judge.Block) *judge.Width {
	if !v.Bounded() || v.Resolution <= v.Delta || v.Measure.Level == judge.Pooled {
		return nil
	}
	c, err := judge.ChangesOf(v.Measure, blocks)
	if err != nil || len(c.Values) < judge.FirstLook {
		return nil
	}
	w := &judge.Width{Parts: parts(c), Resolution: max(v.Delta, v.Resolution/2)}
	more := float64(len(c.Values)) * (square(v.Resolution/w.Resolution) - 1)
	w.Starts = max(1, int(math.Ceil(more)))
	return w
}

// parts are the shares of the variance of the mean of all blocks.
func parts(c judge.Changes) (all []judge.WidthPart) {
	n, pairs := float64(len(c.Values)), 0.0
	for _, v := range c.Noise {
		pairs += v / n
	}
	units := byLayout(c)
	a, squares, within := float64(len(units)), 0.0, 0.0
	for _, values := range units {
		squares += square(float64(len(values)))
		within += square(stats.StdErr(values)) * float64(len(values)*(len(values)-1))
	}
	total := square(stats.StdErr(c.Values)) * n * (n - 1)
	rest, orders, name := total/(n-1), 0.0, judge.WidthOfStarts
	switch {
	case c.Layouts[0] == 0: // of one order, or of orders that nobody noted
	case a == n:
		name = judge.WidthOfStartsAndOrders
	case a > 1:
		rest = within / (n - a)
		orders = max(0, ((total-within)/(a-1)-rest)*(a-1)/(n-squares/n))
	}
	add := func(of judge.WidthOf, variance float64) { all = append(all, judge.WidthPart{Of: of, Share: variance}) }
	add(judge.WidthOfPairs, pairs/n)
	add(name, max(0, rest-pairs)/n)
	if orders > 0 {
		add(judge.WidthOfOrders, orders*squares/(n*n))
	}
	sum := 0.0
	for _, p := range all {
		sum += p.Share
	}
	for i := range all {
		all[i].Share /= max(sum, math.SmallestNonzeroFloat64)
	}
	slices.SortStableFunc(all, func(x, y judge.WidthPart) int { return cmp.Compare(y.Share, x.Share) })
	return all
}

// byLayout are the values of each layout, in the order in which they came; a block without one stands for itself.
func byLayout(c judge.Changes) (units [][]float64) {
	at := map[int]int{}
	for i, v := range c.Values {
		unit, known := at[c.Layouts[i]]
		if !known || c.Layouts[i] == 0 {
			unit = len(units)
			at[c.Layouts[i]], units = unit, append(units, nil)
		}
		units[unit] = append(units[unit], v)
	}
	return units
}

func square(x float64) float64 { return x * x }
