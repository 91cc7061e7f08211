package vitals

import "time"

// Counter makes rates of the totals of something that only goes up. The zero value is
// ready to use.
type Counter struct {
	at    time.Time
	total float64
	known bool
}

// Rate takes the next total and returns what it grew by per second since the one before.
// A total that went down began again at 0, as Prometheus has it: the service was started
// again, and what it counted since is the least that happened. The first total, and one
// that is not later than the one before, have no rate.
func (c *Counter) Rate(at time.Time, total float64) Value {
	before := *c
	*c = Counter{at, total, true}
	elapsed := at.Sub(before.at).Seconds()
	if !before.known || elapsed <= 0 {
		return Value{}
	}
	return Of(Increase(before.total, total) / elapsed)
}

// Increase is what a counter grew by from one total to the next, which begins again at 0
// if it is the smaller.
func Increase(before, after float64) float64 {
	if after < before {
		return after
	}
	return after - before
}

// Grow is Rate for a total that may lose a part of what it counted: where it went down the
// rate is absent.
func (c *Counter) Grow(at time.Time, total float64) Value {
	if c.known && total < c.total {
		*c = Counter{at, total, true}
		return Value{}
	}
	return c.Rate(at, total)
}
