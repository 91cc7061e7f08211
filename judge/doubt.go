package judge

import "math"

// doubt is why a change is undecided.
type doubt int

const (
	tooFewStarts doubt = iota // no outcome of so few could be significant
	tooWide                   // the interval is wider than the tolerance
	inBetween                 // narrow, but neither within the tolerance nor clear of 0
)

// change is evidence with the yardsticks that it is held against.
type change struct {
	Evidence
	fewest    int     // starts that it takes for anything to be significant
	tolerance float64 // a log ratio
}

func (c change) doubt() doubt {
	switch {
	case math.IsInf(c.half(), 1):
		return tooFewStarts
	case c.equivalenceHalf() > c.tolerance:
		return tooWide
	default:
		return inBetween
	}
}

// need estimates what it takes to get over the doubt. With f times the starts the
// interval shrinks by the square root of f.
func (c change) need(d doubt) *Need {
	if d == tooFewStarts {
		return &Need{Starts: max(1, c.fewest-c.Starts), Factor: max(1, float64(c.fewest)/float64(c.Starts))}
	}
	return NeedOf(c.Starts, c.nearest())
}

// nearest is the factor that brings the nearer of the two decisions, should the estimate stay where it is: the same,
// when half of the equivalence interval is what separates the estimate from the tolerance; different, when half of the
// interval fits between the estimate and 0.
func (c change) nearest() float64 {
	size := math.Abs(c.Value)
	factor := square(c.half() / size) // +Inf at 0
	if size < c.tolerance {
		factor = min(factor, square(c.equivalenceHalf()/(c.tolerance-size)))
	}
	return factor
}

// NeedOf is the need of factor times as many starts as there are: at least one more, and at most a number that is out of reach but
// fits an int anywhere.
func NeedOf(starts int, factor float64) *Need {
	const outOfReach = 1e9
	n := &Need{Starts: int(math.Max(1, math.Min(outOfReach, math.Ceil(float64(starts)*(factor-1)))))}
	n.Factor = float64(starts+n.Starts) / float64(starts)
	return n
}

func square(f float64) float64 { return f * f }
