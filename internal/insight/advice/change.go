package advice

import (
	"cmp"
	"math"
	"slices"
)

// Change is a finding that one variant has and the other has not, or has for another cost.
type Change struct {
	Rule  string `json:"rule"`
	Title string `json:"title"`
	Place Place  `json:"place"`
	// Word is Gone, New or Moved.
	Word ChangeWord `json:"word"`
	// Delta is what it takes more of in B than in A, in nanoseconds of CPU time per request; Share is that as a part of the
	// difference of the two programs.
	Delta float64 `json:"delta_ns"`
	Share float64 `json:"share"`
}

// ChangeWord says what became of a finding from A to B.
type ChangeWord string

// The words.
const (
	Gone  ChangeWord = "gone"
	New   ChangeWord = "new"
	Moved ChangeWord = "changed" // it is in both, for another cost
)

// leastChange is the part of a difference from which on a finding explains some of it.
const leastChange = 0.05

// Changes says which findings of CPU time explain the difference between two programs that take cpuA and cpuB
// nanoseconds of it per request, the largest part first, and which part of the difference they leave open. Findings are
// those of one rule in one function, whose lines may have moved. Nil where there is no difference.
func Changes(a, b *Findings, cpuA, cpuB float64) (all []Change, left float64) {
	whole := cpuB - cpuA
	if a == nil || b == nil || whole == 0 || math.IsNaN(whole) {
		return nil, 1
	}
	type key struct{ rule, function string }
	cost := func(f *Findings, cpu float64) map[key]float64 {
		m := map[key]float64{}
		for _, one := range f.Findings {
			if one.Explained > 0 {
				m[key{one.Rule, one.Place.Function}] += one.Explained * cpu
			}
		}
		return m
	}
	costA, costB := cost(a, cpuA), cost(b, cpuB)
	left = 1
	seen := map[key]bool{}
	for _, one := range slices.Concat(a.Findings, b.Findings) {
		k := key{one.Rule, one.Place.Function}
		if one.Explained == 0 || seen[k] {
			continue
		}
		seen[k] = true
		c := Change{Rule: one.Rule, Title: one.Title, Place: one.Place, Delta: costB[k] - costA[k], Word: Moved}
		switch {
		case costB[k] == 0:
			c.Word = Gone
		case costA[k] == 0:
			c.Word = New
		}
		if c.Share = c.Delta / whole; math.Abs(c.Share) < leastChange {
			continue
		}
		left -= c.Share
		all = append(all, c)
	}
	slices.SortFunc(all, func(x, y Change) int {
		return cmp.Or(cmp.Compare(math.Abs(y.Share), math.Abs(x.Share)), comparePlaces(x.Place, y.Place), cmp.Compare(x.Rule, y.Rule))
	})
	return all, left
}
