// Package sum has a benchmark.
package sum

// Of adds up xs.
func Of(xs []int) int {
	total := 0
	for _, x := range xs {
		total += x
	}
	return total
}
