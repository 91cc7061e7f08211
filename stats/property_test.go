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

func mustRank(t *rapid.T, d []float64) SignedRankResult {
	r, err := SignedRank(d)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustEstimate(t *rapid.T, d []float64) Estimate {
	e, err := HodgesLehmann(d, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestSignedRankProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := sample(t)
		before := slices.Clone(d)
		r := mustRank(t, d)
		if !slices.Equal(d, before) {
			t.Fatal("the argument was modified")
		}
		if !(r.P > 0 && r.P <= 1) {
			t.Fatalf("p = %v", r.P)
		}
		n, z := float64(r.N), float64(r.Zeros)
		if r.Plus+r.Minus != n*(n+1)/2-z*(z+1)/2 {
			t.Fatalf("rank sums %v and %v of %v values with %v zeros", r.Plus, r.Minus, n, z)
		}
		neg := mustRank(t, mapped(d, func(v float64) float64 { return -v }))
		if neg.P != r.P || neg.Plus != r.Minus || neg.Minus != r.Plus {
			t.Fatalf("signs turned: %+v became %+v", r, neg)
		}
		if scaled := mustRank(t, mapped(d, func(v float64) float64 { return v * 1024 })); scaled != r {
			t.Fatalf("scaled: %+v became %+v", r, scaled)
		}
		if cubed := mustRank(t, mapped(d, func(v float64) float64 { return v * v * v })); cubed != r {
			t.Fatalf("only ranks may matter: %+v became %+v", r, cubed)
		}
		if mixed := mustRank(t, rapid.Permutation(d).Draw(t, "order")); mixed != r {
			t.Fatalf("permuted: %+v became %+v", r, mixed)
		}
	})
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
		n := rapid.IntRange(6, 80).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		d := make([]float64, n)
		for i := range d {
			d[i] = 0.5 + rng.NormFloat64()
		}
		e, r := mustEstimate(t, d), mustRank(t, d)
		outside := e.Low > 0 || e.High < 0
		if rejects := r.P <= 1-e.Conf+1e-12; outside != rejects {
			t.Fatalf("n = %d: %+v, but p = %v", n, e, r.P)
		}
	})
}

func TestSignFlipProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := sample(t)
		d = d[:min(len(d), 12)]
		p := func(d []float64) float64 {
			r, err := SignFlip(d, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			return r.P
		}
		was := p(d)
		if !(was > 0 && was <= 1) {
			t.Fatalf("p = %v", was)
		}
		// A tenth is not a binary fraction: ties between sums differ in the last bits.
		if got := p(mapped(d, func(v float64) float64 { return v / 10 })); got != was {
			t.Fatalf("scaled: %v became %v", was, got)
		}
		if got := p(mapped(d, func(v float64) float64 { return -v })); got != was {
			t.Fatalf("signs turned: %v became %v", was, got)
		}
		if got := p(rapid.Permutation(d).Draw(t, "order")); got != was {
			t.Fatalf("permuted: %v became %v", was, got)
		}
	})
}

func TestSignFlipByDrawingMeetsTheExactTest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1935, 21))
	d := make([]float64, 20)
	for i := range d {
		d[i] = 0.4 + rng.NormFloat64()
	}
	exact, err := SignFlip(d, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	// One 0 more changes no sum, but makes the sample too large to enumerate.
	const rounds = 20_000
	drawn, err := SignFlip(append(d, 0), rounds, rng)
	if err != nil {
		t.Fatal(err)
	}
	if drawn.Exact || drawn.Rounds != rounds {
		t.Fatalf("not drawn: %+v", drawn)
	}
	if sd := math.Sqrt(exact.P * (1 - exact.P) / rounds); math.Abs(drawn.P-exact.P) > 4*sd {
		t.Errorf("drawn p %v, exact p %v, standard error %v", drawn.P, exact.P, sd)
	}
	// No difference at all is no evidence.
	for _, n := range []int{3, 40} {
		if r, err := SignFlip(make([]float64, n), 99, rng); err != nil || r.P != 1 || r.Mean != 0 {
			t.Errorf("%d zeros: %+v, %v", n, r, err)
		}
	}
	// The smallest p is that of no hit at all, never 0.
	for i := range d {
		d[i] = 1
	}
	if r, _ := SignFlip(append(d, d...), 99, rng); r.P != 0.01 {
		t.Errorf("40 equal values, 99 rounds: p = %v, want 1/100", r.P)
	}
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
