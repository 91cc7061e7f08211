package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// simulateLevelling counts how many of so many series of 40 points with noise are said to level off.
func simulateLevelling(t *testing.T, series int, size func(x float64) float64) (levels, inside int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, 29))
	for range series {
		var x, y []float64
		for i := range 40 {
			x = append(x, float64(i+1))
			y = append(y, size(x[i])+rng.NormFloat64())
		}
		r, err := Levelling(x, y, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if r.LevelsOff() {
			levels++
		}
		if r.Low <= 1 && 1 <= r.High {
			inside++
		}
	}
	return levels, inside
}

// A line is seldom said to level off, and its interval has 1 as often as it promises; what fills up is found while
// it does.
func TestLevelling(t *testing.T) {
	const series = 1000
	line := func(x float64) float64 { return x }
	levels, inside := simulateLevelling(t, series, line)
	if levels > 40 || inside < 935 || inside > 965 { // 25 and 950 on average, and two standard errors
		t.Errorf("of %d lines %d level off, and %d intervals have 1", series, levels, inside)
	}
	fills := func(n float64) func(float64) float64 {
		return func(x float64) float64 { return 40 * -math.Expm1(-x/n) }
	}
	if levels, _ := simulateLevelling(t, series, fills(20)); levels < 990 {
		t.Errorf("of %d that fill half-way in the time %d level off", series, levels)
	}
	if levels, _ := simulateLevelling(t, series, func(x float64) float64 { return 2 * min(x, 25) }); levels < 990 {
		t.Errorf("of %d that are full after 25 of 40 points %d level off", series, levels)
	}
	// A cache with room for ten times as much as it was given looks like a line.
	if levels, _ := simulateLevelling(t, series,
		func(x float64) float64 { return 400 * -math.Expm1(-x/400) }); levels > 300 {
		t.Errorf("of %d that are filled by a tenth %d level off", series, levels)
	}
}

func TestLevellingNeedsARise(t *testing.T) {
	for name, y := range map[string][]float64{
		"few points": {1, 2, 3, 4, 5},
		"no rise":    {3, 3, 3, 3, 3, 3, 3, 3},
		"falls":      {8, 7, 6, 5, 4, 3, 2, 1},
	} {
		x := make([]float64, len(y))
		for i := range x {
			x[i] = float64(i)
		}
		if r, err := Levelling(x, y, 0.95); err == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r, err := Levelling([]float64{1, 2, 3, 4, 5, 6}, []float64{2, 4, 6, 7, 8, 9}, 0.95); err != nil ||
		math.Abs(r.Ratio-0.5) > 1e-9 || !r.LevelsOff() {
		t.Errorf("half as fast: %+v, %v", r, err)
	}
}
