package compare

import (
	"fmt"
	"math"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// Excluding is a verdict with the bound that it gives. What is undecided is judge.NoChange, if the bound is at most the
// largest one that is worth saying, judge.Options.Excluded. It is for the end of a comparison: as long as there is time, a
// smaller bound can be had.
func Excluding(v judge.Verdict, most float64) judge.Verdict {
	if v.Word != judge.Undecided && v.Word != judge.Same || v.Indicative || v.OnlyDisturbed != "" ||
		!(v.EquivalenceLow > 0) {
		return v
	}
	excluded := roundedUp(max(1/v.EquivalenceLow, v.EquivalenceHigh) - 1)
	if v.Word == judge.Same {
		v.Excluded = excluded
	} else if excluded <= most {
		v.Word, v.Excluded, v.Need = judge.NoChange, excluded, nil
		v.Reason = fmt.Sprintf("the whole %.3g %% interval, %s, lies within +-%.2g %%", 100*(1-2*v.Alpha),
			units.Span(v.EquivalenceLow-1, v.EquivalenceHigh-1), 100*excluded)
	} else {
		v.Need = sooner(v, most)
	}
	return v
}

// sooner is what it takes to decide on a verdict: what that says, or what it takes to exclude the largest bound that is
// worth saying, should the estimate stay where it is. Half of the interval has to fit between both.
func sooner(v judge.Verdict, most float64) *judge.Need {
	low, high := math.Log(v.EquivalenceLow), math.Log(v.EquivalenceHigh)
	room := math.Log1p(most) - math.Abs(low+high)/2
	if v.Need == nil || v.Starts == 0 || room <= 0 {
		return v.Need
	}
	half := (high - low) / 2
	if need := judge.NeedOf(v.Starts, half*half/(room*room)); need.Starts < v.Need.Starts {
		return need
	}
	return v.Need
}

// roundedUp is a positive number with two digits, not less than it; infinity stays.
func roundedUp(x float64) float64 {
	if x <= 0 || math.IsInf(x, 1) {
		return max(0, x)
	}
	digit := math.Pow(10, math.Floor(math.Log10(x))-1)
	if digit < 1 { // a division by a whole number is exact where a product with 0.001 is not
		return math.Ceil(x*math.Round(1/digit)-1e-9) / math.Round(1/digit)
	}
	return math.Ceil(x/digit-1e-9) * digit
}
