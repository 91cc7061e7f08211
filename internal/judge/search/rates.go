package search

import "math"

// Rates is a search for the highest rate at which a limit holds, by tries of which some mislead: a machine that others
// disturb makes a good rate fail. It is the probabilistic bisection of Waeber, Frazier & Henderson (2013): a
// distribution over the logarithm of that rate, of which each try is at the median, and which each outcome changes by
// Bayes' rule. One outcome that misleads costs tries, and does not decide.
type Rates struct {
	rates  []float64 // of the grid
	belief []float64 // belief[i]: the highest rate that holds lies from rates[i] on; the last cell has all above
}

const (
	// cellRatio is the ratio of two rates of the grid that follow each other, decades how far it goes down.
	cellRatio = 1.02
	decades   = 3
	// misled is how often a rate fails that holds: another program disturbs the machine. lucky is how often one holds
	// that is too high: close above the highest, a short try does not see the queue grow.
	misled = 0.25
	lucky  = 0.1
)

// NewRates begins a search below a rate. Half of the belief is even over the rates, half over their logarithms: the
// highest rate lies near the ceiling as a rule, and may lie far below it.
func NewRates(most float64) *Rates {
	n := int(math.Ceil(decades*math.Ln10/math.Log(cellRatio))) + 1
	r := &Rates{rates: make([]float64, n), belief: make([]float64, n)}
	for i := range r.belief {
		r.rates[i] = most / math.Pow(cellRatio, float64(n-1-i))
		r.belief[i] = 1/float64(n) + r.rates[i]*(1-1/cellRatio)/most
	}
	r.scale()
	return r
}

func (r *Rates) scale() {
	sum := 0.0
	for _, p := range r.belief {
		sum += p
	}
	for i := range r.belief {
		r.belief[i] /= sum
	}
}

// Observe takes the outcome of a try.
func (r *Rates) Observe(rateHz float64, held bool) {
	below, above := 1-lucky, misled
	if held {
		below, above = lucky, 1-misled
	}
	for i := range r.belief {
		if r.rates[i] >= rateHz {
			r.belief[i] *= above
		} else {
			r.belief[i] *= below
		}
	}
	r.scale()
}

// Next is the rate to try next.
func (r *Rates) Next() float64 { return r.Quantile(0.5) }

// Quantile is the rate that the highest one is below of with a probability.
func (r *Rates) Quantile(q float64) float64 {
	sum := 0.0
	for i, p := range r.belief {
		if sum += p; sum >= q {
			return r.rates[i]
		}
	}
	return r.rates[len(r.rates)-1]
}

// Interval is where the highest rate lies with a probability.
func (r *Rates) Interval(share float64) (low, high float64) {
	return r.Quantile((1 - share) / 2), r.Quantile((1+share)/2) * cellRatio // the upper end of the cell
}
