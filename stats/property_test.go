package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// sample draws whole numbers with ties and zeros: sums, halves and shifts of them
// are exact, so the properties hold to the last bit.
func sample(t *rapid.T) []float64 {
	n := rapid.IntRange(1, 70).Draw(t, "n")
	d := make([]float64, n)
	for i := range d {
		d[i] = float64(rapid.IntRange(-40, 60).Draw(t, "value"))
	}
	return d
}

func mapped(d []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(d))
	for i, v := range d {
		out[i] = f(v)
	}
	return out
}

// signedRankP is the exact two-sided p-value of Wilcoxon's signed-rank test of at most 50
// values without zeros.
func signedRankP(d []float64) float64 {
	ranks := doubledRanks(d)
	plus, minus := 0, 0
	for i, v := range d {
		if v > 0 {
			plus += ranks[i]
		} else {
			minus += ranks[i]
		}
	}
	tail := 0.0
	for _, c := range signSumCounts(ranks)[:min(plus, minus)+1] {
		tail += c
	}
	return min(1, 2*math.Ldexp(tail, -len(d)))
}

func mustEstimate(t *rapid.T, d []float64) Estimate {
	e, err := HodgesLehmann(d, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestHodgesLehmannProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := sample(t)
		before := slices.Clone(d)
		e := mustEstimate(t, d)
		if !slices.Equal(d, before) {
			t.Fatal("the argument was modified")
		}
		if !(e.Low <= e.Value && e.Value <= e.High) {
			t.Fatalf("estimate outside its interval: %+v", e)
		}
		shift := float64(rapid.IntRange(-1000, 1000).Draw(t, "shift"))
		want := Estimate{e.Value + shift, e.Low + shift, e.High + shift, e.Conf}
		if got := mustEstimate(t, mapped(d, func(v float64) float64 { return v + shift })); got != want {
			t.Fatalf("shifted by %v: %+v became %+v", shift, e, got)
		}
		want = Estimate{-e.Value, -e.High, -e.Low, e.Conf}
		if got := mustEstimate(t, mapped(d, func(v float64) float64 { return -v })); got != want {
			t.Fatalf("signs turned: %+v became %+v", e, got)
		}
		want = Estimate{e.Value * 8, e.Low * 8, e.High * 8, e.Conf}
		if got := mustEstimate(t, mapped(d, func(v float64) float64 { return v * 8 })); got != want {
			t.Fatalf("scaled: %+v became %+v", e, got)
		}
		if got := mustEstimate(t, rapid.Permutation(d).Draw(t, "order")); got != e {
			t.Fatalf("permuted: %+v became %+v", e, got)
		}
	})
}

// The interval is the inverted test: without ties, 0 lies outside it exactly if the
// test rejects at the level that the interval achieves.
func TestIntervalAndTestAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(6, exactLimit).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		d := make([]float64, n)
		for i := range d {
			d[i] = 0.5 + rng.NormFloat64()
		}
		e, p := mustEstimate(t, d), signedRankP(d)
		outside := e.Low > 0 || e.High < 0
		if rejects := p <= 1-e.Conf+1e-12; outside != rejects {
			t.Fatalf("n = %d: %+v, but p = %v", n, e, p)
		}
	})
}

func TestLogRatiosProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		positive := rapid.Float64Range(1e-300, 1e300)
		a, b := positive.Draw(t, "a"), positive.Draw(t, "b")
		get := func(a, b float64) float64 {
			d, err := LogRatios([]float64{a}, []float64{b})
			if err != nil {
				t.Fatal(err)
			}
			return d[0]
		}
		d, back := get(a, b), get(b, a)
		if math.Abs(d+back) > 1e-11 || math.IsInf(d, 0) {
			t.Fatalf("there %v and back %v", d, back)
		}
		if get(a, a) != 0 {
			t.Fatalf("no change is %v", get(a, a))
		}
	})
}

func TestQuantilesAtTheEnds(t *testing.T) {
	x := []float64{3, math.MaxFloat64, -math.MaxFloat64, 7}
	for p, want := range map[float64]float64{0: -math.MaxFloat64, 0.5: 5, 1: math.MaxFloat64} {
		if got, err := Quantile(x, p); err != nil || got != want {
			t.Errorf("quantile %v is %v (%v), want %v", p, got, err, want)
		}
	}
}
