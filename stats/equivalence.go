package stats

import (
	"fmt"
	"math"
)

// SequentialEquivalence returns the interval of two one-sided tests at the level that the
// looks may spend: at the level of one side, each of its bounds excludes what lies beyond. So
// where a margin is given before, an interval within +-margin shows at that level that the
// values are centred within it (Schuirmann 1987; with several looks, Jennison & Turnbull 1993,
// "Sequential equivalence testing and repeated confidence intervals, with applications to
// normal and binary responses", Biometrics 49(1)).
//
// It is the repeated interval of SequentialSignFlip with twice the level spent at each look.
// The statistic is symmetric, so each of its bounds is wrong with at most half of that, over
// all looks together, and exactly as that of SequentialSignFlip is. The arguments are those of
// SequentialSignFlip; the bounds are infinite where there are too few values.
func SequentialEquivalence(d, noise []float64, looks []Look) (low, high float64, err error) {
	r, err := SequentialSignFlip(d, noise, twice(looks))
	return r.Low, r.High, err
}

// twice are looks that spend twice as much.
func twice(looks []Look) []Look {
	doubled := make([]Look, len(looks))
	for i, l := range looks {
		doubled[i] = Look{N: l.N, Spent: min(1, 2*l.Spent)}
	}
	return doubled
}

// SequentialWithin says whether the interval of SequentialEquivalence lies within +-margin, in a
// fraction of the time that the interval takes.
func SequentialWithin(d, noise []float64, looks []Look, margin float64) (bool, error) {
	if err := checkSequential(d, noise, looks); err != nil {
		return false, fmt.Errorf("test within +-%v: %w", margin, err)
	}
	t := newSequential(d, noise, twice(looks))
	if math.Abs(t.estimate()) >= margin {
		return false, nil
	}
	_, _, below := t.at(margin)
	_, _, above := t.at(-margin)
	return below && above, nil
}
