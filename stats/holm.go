package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// Holm returns the adjusted p-values of a family of tests, in the order of p: to reject
// those that are at most alpha keeps the chance of any false rejection in the family at
// or under alpha, however the tests depend on each other (Holm 1979, "A simple
// sequentially rejective multiple test procedure", Scandinavian Journal of Statistics
// 6(2)).
//
// The k-th smallest of m p-values is multiplied by m-k+1; none is adjusted to less than a
// smaller one, none to more than 1. An error names the index of the first value that is
// not within 0 ... 1.
func Holm(p []float64) ([]float64, error) {
	if len(p) == 0 {
		return nil, fmt.Errorf("adjust p-values: %w", ErrEmpty)
	}
	order := make([]int, len(p))
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf("adjust p-values: p[%d] is %v, want a number within 0 ... 1", i, v)
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	adjusted := make([]float64, len(p))
	largest := 0.0
	for k, i := range order {
		largest = max(largest, min(1, float64(len(p)-k)*p[i]))
		adjusted[i] = largest
	}
	return adjusted, nil
}
