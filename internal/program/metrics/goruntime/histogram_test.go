package goruntime

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/program/probeclient"
)

func TestCoarseBounds(t *testing.T) {
	inf := math.Inf(1)
	for _, tc := range []struct {
		unit       string
		fine, want []float64
	}{
		{"seconds", []float64{-inf, 0, 0.001, 0.002, 0.01, 0.05, 0.2, 3, 20, inf}, []float64{0, 0.001, 0.01, 0.2, inf}},
		{"seconds", []float64{0, 0.5, inf}, []float64{0, 0.5, inf}},
		{"bytes", []float64{1, 9, 17, 25, 33, 49, inf}, []float64{1, 9, 25, inf}},
		{"bytes", []float64{-8, -5, -4, -1, 0, 3}, []float64{-8, -4, -1, 0, 3}},
		{"turns", []float64{-inf, 1, 2, inf}, []float64{1, 2, inf}},
	} {
		if got := coarseBounds(slices.Clone(tc.fine), tc.unit); !slices.Equal(got, tc.want) {
			t.Errorf("%s %v: %v, want %v", tc.unit, tc.fine, got, tc.want)
		}
	}
}

func TestCoarsen(t *testing.T) {
	inf := math.Inf(1)
	bounds := []float64{0, 1, 10, inf}
	below := func(x float64) float64 { return math.Nextafter(x, 0) }
	h := coarsen(probeclient.Histogram{
		{From: -inf, To: 0, Count: 1},   // below all: the first
		{From: 0.5, To: 1, Count: 2},    // ends with the first
		{From: 1, To: 2, Count: 4},      // within the second
		{From: 8, To: 12, Count: 8},     // across: above
		{From: 100, To: inf, Count: 16}, // the last
	}, bounds)
	if h.count != 31 || h.sum != 4*1+24*10 {
		t.Errorf("count %d, sum %v", h.count, h.sum)
	}
	if len(h.cumulative) != 2 || h.cumulative[below(1)] != 3 || h.cumulative[below(10)] != 7 {
		t.Errorf("buckets %v", h.cumulative)
	}
}

// No value is lost, and none is said to be smaller than it can have been.
func TestCoarsenLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ascending := func(name string, least int) []float64 {
			all := rapid.SliceOfNDistinct(rapid.Float64Range(0, 1e6), least, 20, rapid.ID[float64]).Draw(t, name)
			slices.Sort(all)
			return all
		}
		bounds := append(ascending("bounds", 1), math.Inf(1))
		var fine probeclient.Histogram
		ends := append(ascending("ends", 1), math.Inf(1))
		for i := range len(ends) - 1 {
			fine = append(fine, probeclient.Bin{From: ends[i], To: ends[i+1],
				Count: rapid.Uint64Range(1, 9).Draw(t, "count")})
		}
		h := coarsen(fine, bounds)
		if h.count != fine.Total() {
			t.Fatalf("count %d of %d", h.count, fine.Total())
		}
		for bound, count := range h.cumulative {
			var sure uint64 // values that are certainly not above the bound
			for _, bin := range fine {
				if bin.To <= math.Nextafter(bound, math.Inf(1)) {
					sure += bin.Count
				}
			}
			if count != sure {
				t.Fatalf("%d values up to %v, sure are %d", count, bound, sure)
			}
		}
	})
}
