package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The functions behind the prior have the values of the tables: Abramowitz & Stegun 1964, tables 6.1 and 26.9.
func TestModeratedFunctions(t *testing.T) {
	for _, c := range []struct{ got, want float64 }{
		{digamma(1), -0.5772156649}, {digamma(0.5), -1.9635100260}, {trigamma(1), 1.6449340668},
		{trigamma(0.5), 4.9348022005}, {trigamma(20), 0.0512706},
		{inverseTrigamma(1.6449340668), 1}, {incompleteBeta(0.3, 2, 3), 0.3483}, {incompleteBeta(0.5, 4, 4), 0.5},
	} {
		if math.Abs(c.got-c.want) > 1e-6*max(1, math.Abs(c.want)) {
			t.Errorf("got %.9g, want %.9g", c.got, c.want)
		}
	}
	for df := 1; df < 40; df += 3 {
		for _, x := range []float64{0.1, 1, 2.5, 6, 20} {
			if got, want := ModeratedP(x, float64(df)), StudentP(x, df); math.Abs(got-want) > 1e-10 {
				t.Errorf("t of %v with %d: %v, want %v", x, df, got, want)
			}
		}
		if got, want := ModeratedWidth(0.02, float64(df)), StudentWidth(0.02, df); math.Abs(got/want-1) > 1e-8 {
			t.Errorf("width with %d: %v, want %v", df, got, want)
		}
	}
}

// variances draws so many: true ones that differ as those of a prior with so many degrees of freedom do, estimated with
// df.
func variances(rng *rand.Rand, n int, p Prior, df int) (all []Scatter) {
	chi := func(df int) float64 {
		sum := 0.0
		for range df {
			sum += math.Pow(rng.NormFloat64(), 2)
		}
		return sum / float64(df)
	}
	for range n {
		truth := p.Variance
		if !math.IsInf(p.DF, 1) {
			truth /= chi(int(p.DF))
		}
		all = append(all, Scatter{truth * chi(df), df})
	}
	return all
}

// The prior that variances were drawn from is found again, and those that are all alike have as many degrees of freedom
// as a prior may have.
func TestThePriorIsFoundAgain(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 3))
	for _, want := range []Prior{{1e-4, 4}, {4, 8}} {
		got := PriorOf(variances(rng, 4000, want, 6))
		t.Logf("want %v, got %v", want, got)
		if math.Abs(got.DF/want.DF-1) > 0.15 || math.Abs(got.Variance/want.Variance-1) > 0.1 {
			t.Errorf("want %v, got %v", want, got)
		}
	}
	if p := PriorOf(variances(rng, 200, Prior{1, math.Inf(1)}, 6)); p.DF != mostPriorDF {
		t.Errorf("all alike: %v", p)
	}
	if p := PriorOf(variances(rng, 6, Prior{1, math.Inf(1)}, 40)); p.DF > 6 {
		t.Errorf("six: %v", p)
	}
	for _, few := range [][]Scatter{nil, variances(rng, 4, Prior{1, 4}, 5), make([]Scatter, 9)} {
		if p := PriorOf(few); p != (Prior{}) {
			t.Errorf("%v: %v", few, p)
		}
	}
}

// A variance of the prior agrees with it, as often as the level says, and one that is ten times as large does not.
func TestAVarianceAgreesWithItsPrior(t *testing.T) {
	rng, p, agree, large := rand.New(rand.NewPCG(57, 5)), Prior{1, 8}, 0, 0
	const rounds = 2000
	for _, s := range variances(rng, rounds, p, 3) {
		if p.Agrees(s, 0.1) {
			agree++
		}
		if s.Variance *= 10; p.Agrees(s, 0.1) {
			large++
		}
	}
	if share := float64(agree) / rounds; math.Abs(share-0.9) > 0.02 || large > rounds*3/10 {
		t.Errorf("%.3f agree, want 0.9; of ten times the variance %d of %d", share, large, rounds)
	}
	if v, df := p.With(Scatter{4, 4}); v != 2 || df != 12 {
		t.Errorf("together %v with %v", v, df)
	}
}
