package figures

import "math"

// Variance is how values in groups scatter: the groups' means, and the values within a group, both as variances.
type Variance struct{ Between, Within float64 }

// OneWay is the one-way analysis of variance of k groups of n values each, with random effects: the means of squares
// give Within, and Between = (MS between - MS within) / n, or 0 (Searle, Casella and McCulloch 1992, "Variance
// components", chapter 3). It is NaN for less than two groups of two.
func OneWay(groups [][]float64) Variance {
	if len(groups) < 2 || len(groups[0]) < 2 {
		return Variance{math.NaN(), math.NaN()}
	}
	n := float64(len(groups[0]))
	means, within := make([]float64, len(groups)), 0.0
	for i, g := range groups {
		var squares float64
		means[i], squares = meanSquares(g)
		within += squares
	}
	within /= float64(len(groups)) * (n - 1)
	_, between := meanSquares(means)
	between *= n / float64(len(groups)-1)
	return Variance{max(0, (between-within)/n), within}
}

// meanSquares is the mean of x, and the sum of the squares of what is left.
func meanSquares(x []float64) (mean, squares float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	return mean, squares
}

// Share is the part of the variance of one value that its group makes.
func (v Variance) Share() float64 { return v.Between / (v.Between + v.Within) }
