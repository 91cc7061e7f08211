package changepoints

import (
	"hash/fnv"
	"slices"

	"github.com/gohone/hone/internal/store/history"
)

// series is values whose changes are known.
type series struct {
	Name    string    `json:"name"`
	Pattern string    `json:"pattern"`
	Values  []float64 `json:"values"`
	// Truths are the changes, as each of those who know them says: the first value after each.
	Truths [][]int `json:"truths"`
}

// newest is what of a series hone history looks at.
func (s series) newest() series {
	start := max(0, len(s.Values)-history.ChangeWindow)
	s.Values = s.Values[start:]
	truths := make([][]int, len(s.Truths))
	for i, truth := range s.Truths {
		for _, at := range truth {
			if at > start {
				truths[i] = append(truths[i], at-start)
			}
		}
	}
	s.Truths = truths
	return s
}

func (s series) hash() uint64 {
	h := fnv.New64a()
	h.Write([]byte(s.Name)) // never fails
	return h.Sum64()
}

// half is a part of the series.
type half int

// The halves.
const (
	open half = iota
	closed
)

// String is what -half takes.
func (h half) String() string { return [...]string{"open", "closed"}[h] }

// half is that of a series: the parity of the hash's bits, as the lowest bit alone follows the last letter.
func (s series) half() half {
	x := s.hash()
	for shift := 32; shift > 0; shift /= 2 {
		x ^= x >> shift
	}
	return half(x & 1)
}

// among are the series of some halves.
func among(all []series, halves []half) (some []series) {
	for _, s := range all {
		if slices.Contains(halves, s.half()) {
			some = append(some, s)
		}
	}
	return some
}
