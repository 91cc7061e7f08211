package stats

import (
	"errors"
	"fmt"
	"math"
)

// ErrEmpty is returned for a sample without values.
var ErrEmpty = errors.New("the sample is empty")

// checkFinite refuses an empty sample and names the first NaN or infinity of it:
// either would pass silently through comparisons and sorting, and spoil the ranks.
func checkFinite(name string, x []float64) error {
	if len(x) == 0 {
		return ErrEmpty
	}
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s[%d] is %v, want a finite number", name, i, v)
		}
	}
	return nil
}

// checkPositive is checkFinite for values whose logarithm is taken.
func checkPositive(name string, x []float64) error {
	if err := checkFinite(name, x); err != nil {
		return err
	}
	for i, v := range x {
		if v <= 0 {
			return fmt.Errorf("%s[%d] is %v, want a number over 0", name, i, v)
		}
	}
	return nil
}
