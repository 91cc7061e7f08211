package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Modes are the two halves of values that lie in two heaps.
type Modes struct {
	// Low and High are the means of the heaps, LowN and HighN how many values each has.
	Low, High   float64
	LowN, HighN int
	// P is the share of uniform samples that fall apart as far. Others with one mode, such as normal ones, hardly do.
	P float64
}

const (
	// fewestForModes is how many values there have to be, and leastOfMode the part of them that each heap has at least:
	// a value in ten that is far off is a tail, and not a heap.
	fewestForModes = 8
	leastOfMode    = 0.2
	// modeDraws is how many samples with one mode are drawn for P.
	modeDraws = 999
)

// TwoModes divides values where they fall apart furthest, which is where the sum of squares between both parts is
// largest against that within them (Engelman & Hartigan 1969, "Percentage points of a test for clusters", JASA 64). It
// is the likelihood ratio of two normal distributions against one, each value being of the one that is nearer. P is by
// simulation with a fixed seed, of uniform samples: of the distributions with one mode it is the flattest, which is why
// Hartigan & Hartigan 1985, "The dip test of unimodality", Annals of Statistics 13(1), take it, too.
//
// Fewer than eight values, and values that are all alike, have a P of 1.
func TwoModes(x []float64) (Modes, error) {
	m := Modes{P: 1}
	if len(x) < fewestForModes {
		return m, nil
	}
	if err := checkFinite("x", x); err != nil {
		return Modes{}, fmt.Errorf("look for two modes: %w", err)
	}
	x = slices.Sorted(slices.Values(x))
	cut, found := apart(x)
	if cut == 0 {
		return m, nil
	}
	m.Low, m.High, m.LowN, m.HighN = meanOf(x[:cut]), meanOf(x[cut:]), cut, len(x)-cut
	rng := rand.New(rand.NewPCG(uint64(len(x)), 1969))
	further := 1
	for one, i := make([]float64, len(x)), 0; i < modeDraws; i++ {
		for j := range one {
			one[j] = rng.Float64()
		}
		slices.Sort(one)
		if _, drawn := apart(one); drawn >= found {
			further++
		}
	}
	m.P = float64(further) / (modeDraws + 1)
	return m, nil
}

// apart is where sorted values fall apart furthest, and the sum of squares between the parts over that within them. The
// cut is 0 where nothing falls apart.
func apart(x []float64) (cut int, ratio float64) {
	n := len(x)
	least := max(2, int(math.Ceil(leastOfMode*float64(n))))
	middle, all := meanOf(x), 0.0
	for _, v := range x {
		all += (v - middle) * (v - middle)
	}
	below := 0.0
	for i, v := range x {
		if k := i + 1; k >= least && n-k >= least {
			low := below + v - middle
			between := low * low * float64(n) / (float64(k) * float64(n-k))
			if between > 0 && between/(all-between) > ratio || between > 0 && all <= between {
				cut, ratio = k, between/max(0, all-between)
			}
		}
		below += v - middle
	}
	return cut, ratio
}
