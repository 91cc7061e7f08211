package stats

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func testRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// zipf are the shares of functions as profiles have them: the n-th costs 1/n of the first.
func zipf(k int) []float64 {
	p := make([]float64, k)
	for i := range p {
		p[i] = 1 / float64(i+1)
	}
	return shares(p)
}

// moved are shares each of which is multiplied by a lognormal factor.
func moved(p []float64, by float64) []float64 {
	rng, q := testRand(1), make([]float64, len(p))
	for i := range p {
		q[i] = p[i] * math.Exp(by*rng.NormFloat64())
	}
	return shares(q)
}

// without are the shares when one category is gone.
func without(p []float64, i int) []float64 {
	q := append([]float64(nil), p...)
	q[i] = 0
	return shares(q)
}

// The interval holds the true overlap of simulated pairs, also of equal distributions, at the least in 95 % but for the
// luck of so many simulations; and the estimate is nearer to the truth than what the samples show.
func TestOverlapIntervalsCover(t *testing.T) {
	const simulations, rounds = 100, 120
	var all, held float64
	for _, c := range []struct {
		name   string
		p, q   []float64
		na, nb float64
	}{
		{"equal", zipf(40), zipf(40), 1000, 500},
		{"equal, many samples of one", zipf(100), zipf(100), 10_000, 1000},
		{"equal, few samples", zipf(100), zipf(100), 300, 300},
		{"equal, rare ones", zipf(400), zipf(400), 10_000, 1000},
		{"one is missing", zipf(40), without(zipf(40), 2), 1000, 500},
		{"all differ", zipf(40), moved(zipf(40), 0.3), 1000, 1000},
		{"all differ much", zipf(20), moved(zipf(20), 1), 5000, 500},
	} {
		truth, rng := commonShare(c.p, c.q), testRand(2)
		x, y := make([]float64, len(c.p)), make([]float64, len(c.q))
		inside, estimate, observed := 0.0, 0.0, 0.0
		for range simulations {
			drawCounts(x, c.p, c.na, rng)
			drawCounts(y, c.q, c.nb, rng)
			r, err := Overlap(Weighted{x, c.na}, Weighted{y, c.nb}, 0.95, rounds, rng)
			if err != nil {
				t.Fatal(err)
			}
			if r.Low <= truth+1e-9 && truth <= r.High+1e-9 {
				inside++
			}
			estimate += r.Overlap / simulations
			observed += r.Observed / simulations
		}
		t.Logf("%-28s truth %.3f, observed %.3f, estimate %.3f, held in %.0f of %d", c.name, truth, observed, estimate,
			inside, simulations)
		if inside < 0.88*simulations { // 0.95 less three standard errors
			t.Errorf("%s: the interval holds the truth in %v of %d", c.name, inside, simulations)
		}
		if math.Abs(estimate-truth) > math.Abs(observed-truth)+0.01 {
			t.Errorf("%s: the estimate %.3f is farther from %.3f than what was observed, %.3f", c.name, estimate, truth,
				observed)
		}
		all, held = all+simulations, held+inside
	}
	if held < 0.94*all {
		t.Errorf("the intervals hold the truth in %.3f of all", held/all)
	}
}

func TestOverlapProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "categories")
		weights := func(name string) []float64 {
			w := rapid.SliceOfN(rapid.Float64Range(0, 100), n, n).Draw(t, name)
			w[0]++
			return w
		}
		a, b := weights("a"), weights("b")
		na, nb := rapid.Float64Range(1, 1e4).Draw(t, "na"), rapid.Float64Range(1, 1e4).Draw(t, "nb")
		overlap := func(a, b []float64, na, nb float64) OverlapResult {
			r, err := Overlap(Weighted{a, na}, Weighted{b, nb}, 0.95, 20, testRand(3))
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		r := overlap(a, b, na, nb)
		if !(0 <= r.Low && r.Low <= r.Overlap && r.Overlap <= r.High && r.High <= 1 && r.Observed >= 0 &&
			r.Ceiling >= 0 && r.Ceiling <= 1) {
			t.Errorf("out of order: %+v", r)
		}
		if other := overlap(b, a, nb, na); math.Abs(other.Observed-r.Observed) > 1e-9 {
			t.Errorf("not symmetric: %v and %v", r.Observed, other.Observed)
		}
		scaled := mapped(a, func(v float64) float64 { return 8 * v }) // exactly
		if got := overlap(scaled, b, na, nb); !reflect.DeepEqual(got, r) {
			t.Errorf("scaled %+v, want %+v", got, r)
		}
		if same := overlap(a, a, na, nb); math.Abs(same.Observed-1) > 1e-9 || same.Overlap < 1-1e-9 ||
			same.High < 1-1e-9 {
			t.Errorf("with itself %+v", same)
		}
	})
}

func TestOverlapByHand(t *testing.T) {
	r, err := Overlap(Weighted{[]float64{6, 7, 4}, 17}, Weighted{[]float64{10, 0, 6}, 16}, 0.95, 50, testRand(1))
	if want := 6.0/17 + 4.0/17; err != nil || math.Abs(r.Observed-want) > 1e-12 {
		t.Errorf("%+v, %v; want %v", r, err, want)
	}
}

// One observation of the smaller sample is no difference of the distributions; that a common category is missing is
// one.
func TestOverlapTellsChance(t *testing.T) {
	r, err := Overlap(Weighted{[]float64{5300, 4400, 300, 0}, 10_000}, Weighted{[]float64{546, 453, 0, 1}, 1000},
		0.95, 20,
		testRand(1))
	if want := []bool{false, false, true, false}; err != nil || !reflect.DeepEqual(r.Real, want) {
		t.Errorf("%v, %v; want %v", r.Real, err, want)
	}
}

func TestOverlapRefuses(t *testing.T) {
	for name, of := range map[string][2][]float64{
		"lengths": {{1}, {1, 2}}, "nothing": {{0, 0}, {1, 2}}, "negative": {{-1, 3}, {1, 2}},
		"NaN": {{math.NaN()}, {1}}, "infinite": {{math.Inf(1)}, {1}},
	} {
		if r, err := Overlap(Weighted{of[0], 10}, Weighted{of[1], 10}, 0.95, 10, testRand(1)); err == nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r, err := Overlap(Weighted{[]float64{1}, 0}, Weighted{[]float64{1}, 10}, 0.95, 10, testRand(1)); err == nil {
		t.Errorf("no observations: %+v", r)
	}
}
