package calibrate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gohone/hone/bench/calibrate/spin"
	"github.com/gohone/hone/bench/figures"
)

// plant is how many iterations make which slow-down of one service on this machine.
type plant struct {
	// BaseNanos is the CPU time per request without a spin; LoopNanos is that of one
	// iteration in an empty process.
	BaseNanos float64 `json:"base_ns"`
	LoopNanos float64 `json:"loop_ns"`
	// LargeSpin is the spin that the slope was measured with, Slope the slow-down that one
	// iteration makes in the service, as a fraction, and Slopes the rounds it is the median
	// of.
	LargeSpin int       `json:"large_spin"`
	Slope     float64   `json:"slope"`
	Slopes    []float64 `json:"slopes"`
	// Spins has the iterations for each kind with a planted slow-down.
	Spins map[string]int `json:"spins"`
}

// How the slope is measured: large is the slow-down aimed at, large enough to stand out
// of the noise and small enough to leave the service as it is.
const (
	large       = 0.20
	baseTime    = 4 * time.Second
	slopeRounds = 4
	slopeBudget = 20 * time.Second
	// scatter is how far a round may lie from the median, as a factor. A comparison of this
	// length is known to some +-1 % on a quiet machine, a twentieth of what is measured.
	scatter = 1.5
)

// sow measures what a spin costs in a service: comparisons without one and with a large
// one, under the load of the comparisons to come, so that the slope includes what the
// loop does to the code around it.
func sow(ctx context.Context, t tool, s service) (*plant, error) {
	p := &plant{LoopNanos: rounded(spin.NanosPerIteration(), 4)}
	base, err := t.cpuNanos(ctx, s, baseTime)
	if err != nil {
		return nil, fmt.Errorf("measure %s without a spin: %w", s.Name, err)
	}
	p.BaseNanos = rounded(base, 1)
	p.LargeSpin = max(1, int(math.Round(large*base/p.LoopNanos)))
	for i := range slopeRounds {
		slope, err := slopeOf(ctx, t, s, p.LargeSpin, i%2 == 1)
		if err != nil {
			return nil, fmt.Errorf("measure %s with a large spin: %w", s.Name, err)
		}
		p.Slopes = append(p.Slopes, slope)
	}
	if err := p.choose(); err != nil {
		return nil, fmt.Errorf("plant slow-downs in %s: %w", s.Name, err)
	}
	return p, nil
}

// slopeOf is the slow-down that one of large iterations makes, by one comparison.
func slopeOf(ctx context.Context, t tool, s service, large int, swapped bool) (float64, error) {
	a, b, slow := 0, large, "B"
	if swapped {
		a, b, slow = large, 0, "A"
	}
	// A level that no number of starts can reach within the budget: the comparison takes
	// all of its time, and its estimate is not one of those that stopped at a lucky moment.
	c, err := t.compare(ctx, s, a, b, slopeBudget, "--set", "alpha=1e-9")
	if err != nil {
		return 0, err
	}
	c.Slow = slow
	if c.Verdict == invalid || c.slowdown() <= 0 {
		return 0, fmt.Errorf("no estimate: %s %s", c.Verdict, c.Reason)
	}
	return rounded((c.slowdown()-1)/float64(large), 9), nil
}

// choose takes the median slope and the number of iterations nearest to each slow-down.
func (p *plant) choose() error {
	p.Slope = figures.Median(p.Slopes)
	if !(p.Slope > 0) {
		return fmt.Errorf("a spin of %d iterations made it no slower (slopes %v): is the machine busy?", p.LargeSpin,
			p.Slopes)
	}
	if low, high := slices.Min(p.Slopes), slices.Max(p.Slopes); high > scatter*p.Slope || low < p.Slope/scatter {
		return fmt.Errorf("the rounds say %.2g ... %.2g per iteration, too far apart to plant anything: wait until the machine is quiet", low, high)
	}
	p.Spins = map[string]int{}
	for _, k := range kinds {
		if k.Planted > 0 {
			p.Spins[k.Name] = max(1, int(math.Round(k.Planted/p.Slope)))
		}
	}
	return nil
}
