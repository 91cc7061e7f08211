package compare

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ratios makes pairs with A at 1000 and B at 1000 times each ratio, in so many starts.
func ratios(m Measure, starts int, values ...float64) []Pair {
	var pairs []Pair
	for i, r := range values {
		pairs = append(pairs, Pair{Block: i * starts / len(values), A: Sample{m.Key: 1000}, B: Sample{m.Key: 1000 * r}})
	}
	return pairs
}

func spaced(n int, low, high float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = low + (high-low)*float64(i)/float64(n-1)
	}
	return out
}

func decideOn(t *testing.T, m Measure, pairs []Pair) Verdict {
	t.Helper()
	v, err := Decide(m, pairs, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// What users read: each word with its reason, to the letter. B's slices are spread
// evenly between two ratios to A's.
func TestReasons(t *testing.T) {
	for _, c := range []struct {
		name   string
		pairs  []Pair
		word   Word
		reason string
	}{
		{
			"half the CPU", ratios(CPU, 2, spaced(12, 0.49, 0.51)...), Faster,
			"the whole interval, -50.5 ... -49.5 %, lies beyond the +-0.424 % that the luck of 2 starts can explain, p = 0.00049",
		},
		{
			"3 % more CPU", ratios(CPU, 4, spaced(24, 1.02, 1.04)...), Slower,
			"the whole interval, +2.7 ... +3.3 %, lies beyond the +-0.3 % that the luck of 4 starts can explain, p = 1.2e-07",
		},
		{
			"no change", ratios(CPU, 2, spaced(12, 0.995, 1.005)...), Same,
			"the whole interval, -0.23 ... +0.23 %, lies within +-1 %",
		},
		{
			"five pairs", ratios(CPU, 1, spaced(5, 0.49, 0.51)...), Undecided,
			"too few pairs: 5 pairs can never be significant at level 0.05",
		},
		{
			"one pair", ratios(CPU, 1, 0.5), Undecided,
			"too few pairs: 1 pair can never be significant at level 0.05",
		},
		{
			"noise", ratios(CPU, 2, spaced(12, 0.9, 1.12)...), Undecided,
			"interval too wide: -4.1 ... +6.0 % (+-5.12 %), want +-1 %",
		},
		{
			"luck of one start", ratios(CPU, 1, spaced(12, 1.001, 1.018)...), Undecided,
			"difference smaller than what 1 start can tell: interval +0.56 ... +1.3 %, while the luck of so many can explain +-0.6 %",
		},
		{
			"neither nor", ratios(CPU, 4, spaced(12, 0.992, 1.02)...), Undecided,
			"between same and different: interval -0.04 ... +1.2 % reaches over +-1 %, but not clear of 0",
		},
		{
			"mostly equal", ratios(CPU, 1, append(spaced(5, 1.02, 1.05), 1, 1, 1)...), Undecided,
			"interval too wide: +0.00 ... +4.2 % (+-2.1 %), want +-1 %",
		},
		{
			"tied changes", ratios(CPU, 4, 1.01, 1.01, 0.98, 1.01, 1.01, 1.01, 1.05, 1.01, 1.01, 1.04), Undecided,
			"not quite significant: interval +0.96 ... +3.0 %, but p = 0.059 at level 0.05",
		},
	} {
		v := decideOn(t, CPU, c.pairs)
		if v.Word != c.word || v.Reason != c.reason {
			t.Errorf("%s: %s: %q\nwant %s: %q", c.name, v.Word, v.Reason, c.word, c.reason)
		}
		if (v.Need != nil) != (v.Word == Undecided) {
			t.Errorf("%s: %s with need %v", c.name, v.Word, v.Need)
		}
	}
}

func TestAVerdictCarriesItsNumbers(t *testing.T) {
	pairs := ratios(CPU, 3, spaced(12, 0.069, 0.071)...)
	pairs = append(pairs, Pair{Block: 9, A: Sample{CPU.Key: 1000}, B: Sample{CPU.Key: math.NaN()}},
		Pair{Block: 9, A: Sample{"p50": 1}, B: Sample{CPU.Key: 70}})
	v := decideOn(t, CPU, pairs)
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-3*want }
	switch {
	case v.Word != Faster, v.Measure.Key != "cpu", v.Pairs != 12, v.Missing != 2, v.Starts != 3:
		t.Errorf("%+v", v)
	case !near(v.A, 1000), !near(v.B, 70), !near(v.Ratio, 0.07), v.Low >= v.Ratio, v.High <= v.Ratio:
		t.Errorf("values: %+v", v)
	case v.Alpha != 0.05, v.Delta != 0.01, v.Conf < 0.95, v.Conf > 0.97, !near(v.StartMargin, 0.006/math.Sqrt(3)):
		t.Errorf("options in force: %+v", v)
	case !near(v.Resolution, math.Sqrt(v.High/v.Low)-1):
		t.Errorf("resolution %v of %v ... %v", v.Resolution, v.Low, v.High)
	}
}

func TestFasterFollowsTheDirection(t *testing.T) {
	up, down := spaced(12, 1.09, 1.11), spaced(12, 0.89, 0.91)
	for _, m := range Measures {
		more, less := Slower, Faster
		if m.Better == Higher {
			more, less = Faster, Slower
		}
		if got := decideOn(t, m, ratios(m, 2, up...)).Word; got != more {
			t.Errorf("%s 10 %% up: %s, want %s", m.Name, got, more)
		}
		if got := decideOn(t, m, ratios(m, 2, down...)).Word; got != less {
			t.Errorf("%s 10 %% down: %s, want %s", m.Name, got, less)
		}
	}
}

func TestMeasuresAreWellFormed(t *testing.T) {
	keys, names := map[string]bool{}, map[string]bool{}
	for _, m := range Measures {
		if m.Key == "" || m.Name == "" || m.Unit == "" || m.Floor < 0 || (m.Better != Lower && m.Better != Higher) {
			t.Errorf("incomplete: %+v", m)
		}
		if keys[m.Key] || names[m.Name] {
			t.Errorf("twice: %+v", m)
		}
		keys[m.Key], names[m.Name] = true, true
	}
	if Measures[0] != CPU {
		t.Errorf("the gated measure is %s, want CPU per request first", Measures[0].Name)
	}
}

// Nothing out of nothing is the same; from something to nothing is a gain, not an
// error; and a slice in which the service stood still is kept.
func TestZeros(t *testing.T) {
	var allocs Measure
	for _, m := range Measures {
		if m.Key == "allocs" {
			allocs = m
		}
	}
	var none, gone []Pair
	for range 12 {
		none = append(none, Pair{A: Sample{"allocs": 0}, B: Sample{"allocs": 0.001}})
		gone = append(gone, Pair{A: Sample{"allocs": 2}, B: Sample{"allocs": 0}})
	}
	if v := decideOn(t, allocs, none); v.Word != Same || v.Ratio != 1 {
		t.Errorf("no allocations on either side: %+v", v)
	}
	if v := decideOn(t, allocs, gone); v.Word != Faster || v.B != 0 {
		t.Errorf("2 allocations to none: %+v", v)
	}
	frozen := ratios(Throughput, 2, spaced(24, 1.18, 1.22)...)
	frozen[3].B[Throughput.Key] = 0
	if v := decideOn(t, Throughput, frozen); v.Word != Faster || v.Pairs != 24 || math.Abs(v.Ratio-1.2) > 0.01 {
		t.Errorf("one frozen slice of 24: %+v", v)
	}
}

func TestBadInputIsNamed(t *testing.T) {
	good := ratios(CPU, 2, spaced(12, 0.9, 1.1)...)
	with := func(a, b float64) []Pair {
		return append(ratios(CPU, 2, 1, 1), Pair{Block: 2, A: Sample{CPU.Key: a}, B: Sample{CPU.Key: b}})
	}
	for _, c := range []struct {
		pairs []Pair
		o     Options
		want  []string
	}{
		{with(1, -1), Options{}, []string{"compare CPU per request", "pair 2 of start 2", "B: ", "-1 ns"}},
		{with(0, 1), Options{}, []string{"A: CPU per request is 0 ns, want a number over 0"}},
		{with(math.Inf(1), 1), Options{}, []string{"A: CPU per request is +Inf ns"}},
		{good, Options{Alpha: 0.6}, []string{"alpha is 0.6, want a fraction of 0 ... 0.5"}},
		{good, Options{Alpha: 5, Delta: 1, StartSpread: -0.1}, []string{"alpha is 5", "delta is 1", "start spread is -0.1"}},
		{good, Options{Delta: math.NaN()}, []string{"delta is NaN"}},
	} {
		_, err := Decide(CPU, c.pairs, c.o)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want one that says %q", err, want)
			}
		}
	}
	for _, pairs := range [][]Pair{nil, {{}}, ratios(Throughput, 1, 1, 2), with(math.NaN(), 1)[2:]} {
		if _, err := Decide(CPU, pairs, Options{}); !errors.Is(err, ErrNotObserved) {
			t.Errorf("%v: error %v, want ErrNotObserved", pairs, err)
		}
	}
}

// The level sets how many pairs a verdict takes at the least.
func TestFewestPairs(t *testing.T) {
	for alpha, want := range map[float64]int{0.5: 3, 0.0625: 6, 0.05: 6, 0.03125: 7, 0.01: 8, 0.001: 11} {
		if got := (Options{Alpha: alpha}).fewestPairs(); got != want {
			t.Errorf("level %v: %d pairs, want %d", alpha, got, want)
		}
		o := Options{Alpha: alpha}
		v, err := Decide(CPU, ratios(CPU, 1, spaced(want, 0.49, 0.51)...), o)
		if err != nil || v.Word != Faster {
			t.Errorf("level %v, %d pairs: %s (%v)", alpha, want, v.Word, err)
		}
		v, err = Decide(CPU, ratios(CPU, 1, spaced(want-1, 0.49, 0.51)...), o)
		if err != nil || v.Word != Undecided || v.Need.Pairs != 1 {
			t.Errorf("level %v, %d pairs: %s, need %+v (%v)", alpha, want-1, v.Word, v.Need, err)
		}
	}
}

// More time is worth naming only if it helps: with what Need asks for, of the same
// kind, there is a decision, or at least the interval has come down to the tolerance.
func TestNeedIsAboutEnough(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 5))
	b := bench{starts: 4, pairsPerStart: 8, noise: 0.04, factor: 1}
	asked := 0
	for range 40 {
		v := decideOn(t, CPU, b.draw(rng))
		if v.Need == nil {
			continue
		}
		asked++
		enough := v.Pairs + v.Need.Pairs
		if got := float64(enough) / float64(v.Pairs); math.Abs(got-v.Need.Factor) > 1e-9 {
			t.Errorf("%d pairs in place of %d: factor %v", enough, v.Pairs, v.Need.Factor)
		}
		larger := b
		larger.pairsPerStart = enough/4 + 1
		// The width of 32 pairs is itself known to a quarter or so.
		if w := decideOn(t, CPU, larger.draw(rng)); w.Resolution > 1.6*w.Delta {
			t.Errorf("%d pairs, as asked for, resolve %.3g, want about %v", w.Pairs, w.Resolution, w.Delta)
		}
	}
	if asked < 20 {
		t.Errorf("only %d of 40 comparisons were undecided", asked)
	}
}

func TestStartsAreAskedForWhereTheyAreMissing(t *testing.T) {
	v := decideOn(t, CPU, ratios(CPU, 1, spaced(12, 1.001, 1.018)...))
	if v.Need == nil || v.Need.Starts < 1 {
		t.Fatalf("%+v", v)
	}
	// The same pairs from more starts, as many as asked for, do decide.
	pairs := ratios(CPU, 1+v.Need.Starts, spaced(12, 1.001, 1.018)...)
	if w := decideOn(t, CPU, pairs); w.Word != Slower || w.Starts != 1+v.Need.Starts {
		t.Errorf("%d starts: %+v", 1+v.Need.Starts, w)
	}
}

// A against B and B against A are one question; the order of pairs is none.
func TestSwapAndOrder(t *testing.T) {
	opposite := map[Word]Word{Faster: Slower, Slower: Faster, Same: Same, Undecided: Undecided}
	rapid.Check(t, func(t *rapid.T) {
		b := bench{
			starts: rapid.IntRange(1, 4).Draw(t, "starts"), pairsPerStart: rapid.IntRange(1, 30).Draw(t, "pairs"),
			noise:  rapid.SampledFrom([]float64{0.001, 0.01, 0.05}).Draw(t, "noise"),
			factor: rapid.SampledFrom([]float64{1, 0.97, 1.05, 1.01}).Draw(t, "factor"),
		}
		pairs := b.draw(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)))
		var swapped []Pair
		for _, p := range rapid.Permutation(pairs).Draw(t, "order") {
			swapped = append(swapped, Pair{Block: p.Block, A: p.B, B: p.A})
		}
		v, err := Decide(CPU, pairs, Options{})
		if err != nil {
			t.Fatal(err)
		}
		w, err := Decide(CPU, swapped, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if w.Word != opposite[v.Word] || w.A != v.B || w.P != v.P || math.Abs(v.Ratio*w.Ratio-1) > 1e-9 {
			t.Fatalf("%+v\nswapped: %+v", v, w)
		}
	})
}

func TestVerdictsSurviveJSON(t *testing.T) {
	for _, pairs := range [][]Pair{
		ratios(CPU, 1, 0.5, 0.5), // unbounded
		ratios(CPU, 1, spaced(12, 0.49, 0.51)...),
		ratios(CPU, 1, spaced(12, 0.9, 1.12)...),
	} {
		v := decideOn(t, CPU, pairs)
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var back Verdict
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(back)
		if err != nil || string(again) != string(text) || back.High != v.High || back.Resolution != v.Resolution {
			t.Errorf("%s\nbecame %s (%v)", text, again, err)
		}
		if bounded := !math.IsInf(v.High, 1); bounded == strings.Contains(string(text), `"high":null`) {
			t.Errorf("bounded %v: %s", bounded, text)
		}
	}
}
