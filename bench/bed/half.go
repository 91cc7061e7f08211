package bed

import (
	"cmp"
	"crypto/sha256"
	"slices"
)

// The halves of a corpus: those who write hone's rules look at the open one.
const HalfOpen, HalfClosed = "open", "closed"

// Half is the one that something is in.
func Half(closed bool) string {
	if closed {
		return HalfClosed
	}
	return HalfOpen
}

// Yes is how a table shows that something is as it should be, and that it is not.
func Yes(is bool) string {
	if is {
		return "yes"
	}
	return "NO"
}

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
