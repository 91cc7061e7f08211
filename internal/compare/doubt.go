package compare

import "math"

// doubt is why a change is undecided.
type doubt int

const (
	tooFewPairs   doubt = iota // no outcome of so few could be significant
	tooFewStarts               // there is a difference, but the luck of the starts could explain it
	tooWide                    // the interval is wider than the tolerance
	inBetween                  // narrow, but neither within the tolerance nor clear of 0
	insignificant              // the interval is clear of 0, but the test is not: equal changes (ties) make them differ a little
)

func (c change) doubt() doubt {
	switch {
	case c.pairs < c.fewest:
		return tooFewPairs
	case c.significant():
		return tooFewStarts
	case c.low > 0 || c.high < 0:
		return insignificant
	case c.half() > c.tolerance:
		return tooWide
	default:
		return inBetween
	}
}

// need estimates what it takes to get over the doubt. With f times the pairs, spread
// over f times the starts, the interval and the margin of the starts both shrink by
// the square root of f.
func (c change) need(d doubt) *Need {
	factor := 0.0
	switch d {
	case tooFewPairs:
		return &Need{Pairs: c.fewest - c.pairs, Factor: float64(c.fewest) / float64(c.pairs)}
	case tooWide:
		factor = square(c.half() / c.tolerance)
	default:
		factor = c.nearest()
	}
	n := &Need{Pairs: more(c.pairs, factor)}
	n.Factor = float64(c.pairs+n.Pairs) / float64(c.pairs)
	if d == tooFewStarts {
		n.Starts = more(c.starts, factor)
	}
	return n
}

// nearest is the factor that brings the nearer of the two decisions, should the
// estimate stay where it is: the same, when the half-width is what separates the
// estimate from the tolerance; different, when half-width and margin together fit
// between the estimate and 0.
func (c change) nearest() float64 {
	size := math.Abs(c.value)
	factor := square((c.half() + c.margin) / size) // +Inf at 0
	if size < c.tolerance {
		factor = min(factor, square(c.half()/(c.tolerance-size)))
	}
	return factor
}

// more is how many it takes beyond have to reach factor times as many: at least 1,
// and at most a number that is out of reach but fits an int anywhere.
func more(have int, factor float64) int {
	const outOfReach = 1e9
	return int(math.Max(1, math.Min(outOfReach, math.Ceil(float64(have)*(factor-1)))))
}

func square(f float64) float64 { return f * f }
