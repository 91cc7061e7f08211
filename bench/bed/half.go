package bed

import (
	"cmp"
	"crypto/sha256"
	"slices"
)

// ClosedHalf draws half of some names by a seed: those whose results a report has only as sums. A new name moves at
// most one of the others.
func ClosedHalf(names []string, seed string) []string {
	draw := func(name string) string {
		hash := sha256.Sum256([]byte(seed + " " + name))
		return string(hash[:])
	}
	drawn := slices.SortedFunc(slices.Values(names), func(a, b string) int { return cmp.Compare(draw(a), draw(b)) })
	return drawn[:len(drawn)/2]
}
