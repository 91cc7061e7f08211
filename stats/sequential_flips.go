package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// enumerated is the number of values whose patterns of signs are all there.
	enumerated = 13
	// patterns is how many that is: a pattern and its opposite are equally far from 0,
	// so the first sign stays.
	patterns = 1 << (enumerated - 1)
)

// flips are the patterns of signs. Pattern r gives value i, for 0 < i < enumerated, the
// sign of bit i-1 of r, and later values a sign drawn at random. Pattern 0 is the one seen.
type flips struct {
	drawn [][]uint64 // for each value from enumerated on, a bit per pattern
}

func newFlips(n int) *flips {
	f := &flips{}
	// The seed is any number; a fixed one makes verdicts repeatable.
	rng := rand.New(rand.NewPCG(0x686f6e65, enumerated))
	for range max(0, n-enumerated) {
		bits := make([]uint64, patterns/64)
		for i := range bits {
			bits[i] = rng.Uint64()
		}
		bits[0] &^= 1 // pattern 0 flips nothing
		f.drawn = append(f.drawn, bits)
	}
	return f
}

// sums returns the distance of the sum of x from 0 under each pattern: 2^(n-1) of them
// up to enumerated values, then patterns.
func (f *flips) sums(x []float64) []float64 {
	n := min(len(x), enumerated)
	s := make([]float64, 1, 1<<(n-1))
	s[0] = x[0]
	for _, v := range x[1:n] {
		for _, sum := range s { // those there are, before it grows: sign + keeps the place
			s = append(s, sum-v)
		}
		for i := range s[:len(s)/2] {
			s[i] += v
		}
	}
	for i, v := range x[n:] {
		addDrawn(s, f.drawn[i], v)
	}
	for i, v := range s {
		s[i] = math.Abs(v)
	}
	return s
}

func addDrawn(s []float64, bits []uint64, v float64) {
	signed := [2]float64{v, -v}
	for i := range s {
		s[i] += signed[bits[i/64]>>(i%64)&1]
	}
}

// survivors are the patterns that no look has rejected yet.
type survivors struct {
	flips    *flips
	gone     []bool // by pattern; as many as the last look had
	rejected int
}

// look rejects, among the survivors, those furthest from 0, as many as spent allows, and
// says how the pattern seen fares: rejected if it is further from 0 than all that still
// survive. Equal sums are rejected together or not at all.
func (s *survivors) look(x []float64, spent float64) (p, level float64, rejected bool) {
	sums := s.flips.sums(x)
	s.grow(len(sums))
	allowed := int(math.Floor(spent*float64(len(sums))*(1+alphaSlack))) - s.rejected
	order := s.furthest(sums, allowed+1) // one more shows whether a tie fits
	slack := rounding(x)
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && sums[order[from]]-sums[order[to]] <= slack {
			to++
		}
		if to > allowed || sums[order[from]] <= slack {
			break
		}
		for _, i := range order[from:to] {
			s.gone[i] = true
		}
		s.rejected += to - from
		allowed -= to - from
		order, from = order[to:], 0
	}
	beyond := s.largest(sums) + slack
	return share(sums, sums[0]-slack), share(sums, math.Nextafter(beyond, math.Inf(1))), sums[0] > beyond
}

// largest is the largest sum of a survivor.
func (s *survivors) largest(sums []float64) float64 {
	most := 0.0
	for i, v := range sums {
		if v > most && !s.gone[i] {
			most = v
		}
	}
	return most
}

// furthest returns the n survivors with the largest sums, the largest first. All the rest
// is only looked at once: it is what a call spends its time on.
func (s *survivors) furthest(sums []float64, n int) []int {
	kept := make([]int, 0, 2*max(n, 0)+1)
	least := -1.0
	bySum := func(i, j int) int { return cmp.Or(cmp.Compare(sums[j], sums[i]), cmp.Compare(i, j)) }
	for i, v := range sums {
		if v <= least || s.gone[i] {
			continue
		}
		if kept = append(kept, i); len(kept) == cap(kept) {
			slices.SortFunc(kept, bySum)
			kept = kept[:n]
			if n > 0 {
				least = sums[kept[n-1]]
			}
		}
	}
	slices.SortFunc(kept, bySum)
	return kept[:min(len(kept), n)]
}

// grow gives every survivor both signs of the values that came since the last look.
func (s *survivors) grow(n int) {
	if s.gone == nil {
		s.gone = make([]bool, n)
	}
	for len(s.gone) < n {
		s.gone = append(s.gone, s.gone...)
		s.rejected *= 2
	}
}

// share is how many of the sums, as a fraction, are at least so far from 0.
func share(sums []float64, least float64) float64 {
	n := 0
	for _, v := range sums {
		if v >= least {
			n++
		}
	}
	return float64(n) / float64(len(sums))
}

// rounding is how far sums of the same numbers in another grouping may differ.
func rounding(x []float64) float64 {
	largest := 0.0
	for _, v := range x {
		largest = max(largest, math.Abs(v))
	}
	return largest * float64(len(x)*len(x)) * 0x1p-52
}
