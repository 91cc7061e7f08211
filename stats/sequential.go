package stats

import (
	"fmt"
	"math"
	"slices"
)

// A Look is one interim analysis of a group-sequential test.
type Look struct {
	// N is how many of the values there were when it was taken.
	N int `json:"n"`
	// Spent is the share of the level that may have been spent by then, all looks up
	// to this one together, as a probability: 0.05 at the last one of a test at 5 %.
	Spent float64 `json:"spent"`
}

// PowerSpending is how much of the level alpha a test may have spent when the share t of
// its budget is used, 0 <= t <= 1: alpha t^2, of the family of Kim & DeMets (1987),
// "Design and analysis of group sequential tests based on the type I error spending rate
// function", Biometrika 74(1). It lies between the functions after Pocock, which spend so
// early that the last intervals are wide, and after O'Brien & Fleming, which begin with
// levels that no number of signs reaches in the time there is.
func PowerSpending(alpha, t float64) float64 {
	t = min(1, max(0, t))
	return alpha * t * t
}

// SequentialResult is the outcome of SequentialSignFlip at its last look.
type SequentialResult struct {
	// P is the two-sided p-value of the values that there are, as if this were the
	// only look.
	P float64
	// Level is what P has to be at or under at this look: the stated boundary. 0 means
	// that no outcome of so few values could be significant now.
	Level float64
	// Rejected says that this look shows a difference, or still does so after an earlier one.
	Rejected bool
	// Value is the estimate and Low ... High the repeated confidence interval: all the
	// shifts that the same test, at the same looks, would not have rejected at this one.
	// All intervals of all looks hold at once with a probability of at least 1 less the
	// level (Jennison & Turnbull 1989, "Interim analyses: the repeated confidence interval
	// approach", JRSS B 51(3)). Infinite where there are too few values.
	Value, Low, High float64
}

// SequentialSignFlip tests at the last of several looks whether the values d, taken in
// this order, are symmetric about 0. noise[i] is the variance of what value i was
// estimated with (nil: all alike), so that it counts for less where it is larger.
//
// The test is exact given |d|: under the null hypothesis each pattern of signs is as
// likely as the one seen, so the tests of all looks are carried out on all patterns,
// and at each look those patterns are rejected that are furthest from 0 among the ones
// not rejected before, as many as Spent allows (Mehta, Patel, Senchaudhuri & Tsiatis
// 1994, "Exact permutational tests for group sequential clinical trials", Biometrics
// 50(4)). What one look could not spend for lack of patterns is left to the next.
//
// Up to 13 values all patterns are there. Beyond, each of the 4,096 patterns of the
// first 13 goes on in one way that is drawn at random, once and for all with a fixed
// seed, and in the way seen for the pattern seen; that keeps the level exact, as the
// pattern seen is under the null hypothesis any one of them, as in a Monte Carlo test
// (Dwass 1957; Phipson & Smyth 2010), and it keeps earlier looks as they were.
//
// The statistic is the weighted mean of up to nine values, and from ten on the
// signed-rank sum, which one disturbed value cannot spoil; the estimate is the weighted
// mean or that of Hodges and Lehmann.
//
// Looks have to rise in N and not fall in Spent, and the last N has to be len(d).
func SequentialSignFlip(d, noise []float64, looks []Look) (SequentialResult, error) {
	if err := checkSequential(d, noise, looks); err != nil {
		return SequentialResult{}, fmt.Errorf("flip signs in turn: %w", err)
	}
	return newSequential(d, noise, looks).result(), nil
}

// SequentialDiffers is Rejected of SequentialSignFlip, in a fraction of the time that the
// interval takes.
func SequentialDiffers(d, noise []float64, looks []Look) (bool, error) {
	if err := checkSequential(d, noise, looks); err != nil {
		return false, fmt.Errorf("flip signs in turn: %w", err)
	}
	_, _, rejected := newSequential(d, noise, looks).at(0)
	return rejected, nil
}

func checkSequential(d, noise []float64, looks []Look) error {
	if err := checkFinite("d", d); err != nil {
		return err
	}
	if noise != nil && len(noise) != len(d) {
		return fmt.Errorf("%d values with the noise of %d", len(d), len(noise))
	}
	for i, v := range noise {
		if !(v >= 0) || math.IsInf(v, 0) {
			return fmt.Errorf("noise[%d] is %v, want a finite number of at least 0", i, v)
		}
	}
	if len(looks) == 0 || looks[len(looks)-1].N != len(d) {
		return fmt.Errorf("the last look has to be at all %d values", len(d))
	}
	last := Look{}
	for i, k := range looks {
		if k.N <= last.N || k.Spent < last.Spent || !(k.Spent <= 1) {
			return fmt.Errorf("look %d is %+v after %+v, want more values and no less spent", i, k, last)
		}
		last = k
	}
	return nil
}

// sequentialTest is the data of one call.
type sequentialTest struct {
	d, noise []float64 // at the last look
	looks    []Seen
	flips    *flips
}

func newSequential(d, noise []float64, looks []Look) *sequentialTest {
	seen := make([]Seen, len(looks))
	for i, l := range looks {
		seen[i] = Seen{Values: d[:l.N], Spent: l.Spent}
		if noise != nil {
			seen[i].Noise = noise[:l.N]
		}
	}
	return revisedTest(seen)
}

// result is the test with its interval.
func (t *sequentialTest) result() SequentialResult {
	p, level, rejected := t.at(0)
	res := SequentialResult{P: p, Level: level, Rejected: rejected, Value: t.estimate()}
	res.Low, res.High = t.bound(-1, res.Value, rejected), t.bound(+1, res.Value, rejected)
	return res
}

// at carries out the test of d being symmetric about theta.
func (t *sequentialTest) at(theta float64) (p, level float64, rejected bool) {
	s := survivors{flips: t.flips}
	for _, look := range t.looks {
		p, level, rejected = s.look(scores(look.Values, look.Noise, theta), look.Spent)
	}
	return p, level, rejected
}

// meanLimit is how many values are compared by their mean. Ranks of fewer have so few
// sums that a level is missed by a factor of 2; from there on they cost 5 % of
// efficiency at most with normal values and gain with any others.
const meanLimit = 9

// scores are what the signs are put before: the weighted values, or the ranks. Neither
// looks at the signs of what it weighs, which is what keeps the test exact.
func scores(d, noise []float64, theta float64) []float64 {
	x := make([]float64, len(d))
	for i, v := range d {
		x[i] = v - theta
	}
	if len(x) > meanLimit {
		for i, r := range doubledRanks(x) {
			switch {
			case x[i] > 0:
				x[i] = float64(r)
			case x[i] < 0:
				x[i] = -float64(r)
			}
		}
		return x
	}
	for i, w := range weights(x, noise) {
		x[i] *= w
	}
	return x
}

// weights are inverse variances, 1/(between + noise), scaled to a largest of 1. between
// is what the squares of x have beyond their noise, about 0 and not about their mean:
// so no sign matters.
func weights(x, noise []float64) []float64 {
	w := make([]float64, len(x))
	for i := range w {
		w[i] = 1
	}
	if noise == nil {
		return w
	}
	between, least := 0.0, math.Inf(1)
	for i, v := range x {
		between += (v*v - noise[i]) / float64(len(x))
		least = min(least, noise[i])
	}
	between = max(0, between)
	if between+least <= 0 {
		return w
	}
	for i := range w {
		w[i] = (between + least) / (between + noise[i])
	}
	return w
}

func (t *sequentialTest) estimate() float64 {
	if len(t.d) > meanLimit {
		e, err := HodgesLehmann(t.d, 0.5)
		if err != nil {
			panic(err) // d was checked
		}
		return e.Value
	}
	sum, all := 0.0, 0.0
	for i, w := range weights(t.d, t.noise) {
		sum += w * t.d[i]
		all += w
	}
	return sum / all
}

// bisections narrows a bound down to the range of the values over 2^bisections.
const bisections = 16

// bound is the end of the interval on one side: the last shift, from the estimate on,
// that is not rejected. Beyond the furthest value all signs agree, so if even that is not
// rejected nothing is. A shift beyond a rejected one may fail to be rejected, where
// earlier looks have spent what it takes; what lies beyond 0, if 0 is rejected, is out.
func (t *sequentialTest) bound(side int, inside float64, rejectedZero bool) float64 {
	lo, hi := slices.Min(t.d), slices.Max(t.d)
	outside := lo
	if side > 0 {
		outside = hi
	}
	margin := (hi-lo)/1e6 + math.Abs(outside)*1e-12 + math.SmallestNonzeroFloat64
	outside += float64(side) * margin
	if rejectedZero && inside*float64(side) < 0 {
		outside = 0
	} else if _, _, rejected := t.at(outside); !rejected {
		return math.Inf(side)
	}
	for range bisections {
		mid := inside + (outside-inside)/2
		if _, _, rejected := t.at(mid); rejected {
			outside = mid
		} else {
			inside = mid
		}
	}
	// Values that are all equal reject every shift but their own.
	return inside
}
