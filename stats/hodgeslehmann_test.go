package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Hollander & Wolfe 1999, examples 3.3 and 3.4: the depression scores of table 3.1
// have the estimate -0.46 and the 96.1 % interval -0.786 ... -0.010.
func TestHodgesLehmannOnThePublishedExample(t *testing.T) {
	d := []float64{-0.952, 0.147, -1.022, -0.430, -0.620, -0.590, -0.490, 0.080, -0.010}
	e, err := HodgesLehmann(d, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	round := func(f float64) float64 { return math.Round(f*1000) / 1000 }
	if round(e.Value) != -0.46 || round(e.Low) != -0.786 || round(e.High) != -0.010 || round(e.Conf) != 0.961 {
		t.Errorf("got %+v, the book has -0.46 (-0.786 ... -0.010) at 96.1 %%", e)
	}
}

func TestTooFewValuesForTheLevel(t *testing.T) {
	// 2 * 2^-n first falls to 0.05 at n = 6, to 0.01 at n = 8.
	for _, c := range []struct {
		n       int
		conf    float64
		bounded bool
	}{{1, 0.95, false}, {5, 0.95, false}, {6, 0.95, true}, {7, 0.99, false}, {8, 0.99, true}, {5, 0.9375, true}} {
		d := make([]float64, c.n)
		for i := range d {
			d[i] = float64(i)
		}
		e, err := HodgesLehmann(d, c.conf)
		if err != nil {
			t.Fatal(err)
		}
		if e.Bounded() != c.bounded || (!c.bounded && e.Conf != 1) {
			t.Errorf("%d values at %v: %+v, bounded should be %v", c.n, c.conf, e, c.bounded)
		}
	}
}

// The normal approximation has no bound for 51 values at 1 - 1e-15 and beyond, and
// no confidence is so close to 1 that the bound's rank goes wrong.
func TestExtremeConfidence(t *testing.T) {
	d := make([]float64, 51)
	for i := range d {
		d[i] = float64(i * i)
	}
	wide := 0.0
	for _, conf := range []float64{1e-9, 0.5, 0.95, 0.999999, 1 - 1e-15, math.Nextafter(1, 0)} {
		e, err := HodgesLehmann(d, conf)
		if err != nil {
			t.Fatal(err)
		}
		if width := e.High - e.Low; !(width >= wide) || e.Conf < conf {
			t.Errorf("confidence %v: %+v, narrower than at less (%v)", conf, e, wide)
		} else {
			wide = width
		}
	}
	if !math.IsInf(wide, 1) {
		t.Errorf("at all but certainty the interval of 51 values is still bounded: %v wide", wide)
	}
}

// Selection by counting has to give the very average that a sorted list gives.
func TestWalshSelectionMatchesTheSortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.OneOf(
			rapid.Float64Range(-1e3, 1e3), rapid.SampledFrom([]float64{0, 0, 1, -1, 2, 0.5, 1e300, -1e300}),
		), 1, 40).Draw(t, "x")
		slices.Sort(x)
		var all []float64
		for i := range x {
			for j := i; j < len(x); j++ {
				all = append(all, mean2(x[i], x[j]))
			}
		}
		slices.Sort(all)
		k := rapid.IntRange(1, len(all)).Draw(t, "k")
		if got := walshSelect(x, k); got != all[k-1] {
			t.Fatalf("average %d of %v is %v, the list has %v", k, x, got, all[k-1])
		}
	})
}

func TestHodgesLehmannOfManyValues(t *testing.T) {
	// 200,000 values have 2e10 averages: a listing would need 160 GB.
	rng := rand.New(rand.NewPCG(1963, 7))
	d := make([]float64, 200_000)
	for i := range d {
		d[i] = 3 + rng.NormFloat64()
	}
	e, err := HodgesLehmann(d, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	// Relative to the mean the estimator's efficiency for normal noise is 3/pi
	// (Hodges & Lehmann 1963), so the half-width is 1.96 sqrt(pi/3)/sqrt(n).
	want := 1.96 * math.Sqrt(math.Pi/3) / math.Sqrt(float64(len(d)))
	if half := (e.High - e.Low) / 2; math.Abs(half/want-1) > 0.02 {
		t.Errorf("half-width %v, theory says %v", half, want)
	}
	if math.Abs(e.Value-3) > 2*want {
		t.Errorf("estimate %v, truth 3", e.Value)
	}
}
