package compare

import (
	"errors"
	"fmt"
	"math"
)

// The defaults of Options.
const (
	DefaultAlpha = 0.05
	DefaultDelta = 0.01
	// DefaultStartSpread: two processes of the same binary were measured to differ by
	// up to 0.6 % in CPU per request for as long as they lived (z = 3.6 over 30 s),
	// by the layout of their memory and the like.
	DefaultStartSpread = 0.006
)

// Options are the rules of a verdict. The zero value takes all defaults.
type Options struct {
	// Alpha is the level of the test, at most 0.5; 1-Alpha is the confidence of the
	// interval. 0 means DefaultAlpha.
	Alpha float64
	// Delta is the tolerance of "the same", as a fraction: differences up to it are
	// of no interest. Under 1; 0 means DefaultDelta.
	Delta float64
	// StartSpread is how far two processes of one binary may differ, as a fraction,
	// under 1; 0 means DefaultStartSpread. A smaller one than the truth lets the luck
	// of a start pass for a difference.
	StartSpread float64
}

// Validate reports all faults of the options at once.
func (o Options) Validate() error {
	var faults []error
	check := func(name string, v, most float64) {
		if math.IsNaN(v) || v < 0 || v > most {
			faults = append(faults, fmt.Errorf("%s is %v, want a fraction of 0 ... %v", name, v, most))
		}
	}
	check("alpha", o.Alpha, 0.5)
	check("delta", o.Delta, 0.99)
	check("start spread", o.StartSpread, 0.99)
	return errors.Join(faults...)
}

func (o Options) withDefaults() Options {
	fill := func(v *float64, value float64) {
		if *v == 0 {
			*v = value
		}
	}
	fill(&o.Alpha, DefaultAlpha)
	fill(&o.Delta, DefaultDelta)
	fill(&o.StartSpread, DefaultStartSpread)
	return o
}

// startMargin is the part of a difference, as a logarithm, that the luck of the
// starts can explain: the spread of two processes, over the square root of the
// number of pairs of processes that it averages over.
//
// Simulated with a spread of 0.6 % * N(0, 0.5) per process it keeps false alarms
// under 5 % from two starts on; with a single start on a very quiet machine they
// reach 7 %.
//
// It is a stop-gap. When the start becomes the unit of the test (the levels of
// Kalibera & Jones 2013, "Rigorous benchmarking in reasonable time"), with sequential
// looks, Decide takes the spread from the data, and this function and
// Options.StartSpread go.
func (o Options) startMargin(starts int) float64 {
	return math.Log1p(o.StartSpread / math.Sqrt(float64(starts)))
}

// fewestPairs is the smallest number of pairs that can be significant: with all
// signs equal, n pairs have p = 2 * 2^-n.
func (o Options) fewestPairs() int {
	n := 1
	for math.Ldexp(1, 1-n) >= o.Alpha {
		n++
	}
	return n
}
