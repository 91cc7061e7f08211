package compare

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// What a comparison cannot decide it bounds: by the end of its interval that lies further from no change, whichever that
// is, rounded up.
func TestExcluding(t *testing.T) {
	undecided := func(low, high float64) judge.Verdict {
		return judge.Verdict{Word: judge.Undecided, EquivalenceLow: low, EquivalenceHigh: high, Alpha: 0.05, Delta: 0.01,
			Need: &judge.Need{Starts: 3}}
	}
	for name, c := range map[string]struct {
		v        judge.Verdict
		word     judge.Word
		excluded float64
	}{
		"up":            {undecided(0.988, 1.0187), judge.NoChange, 0.019},
		"down":          {undecided(1/1.0312, 1.004), judge.NoChange, 0.032},
		"exact":         {undecided(0.99, 1.05), judge.NoChange, 0.05},
		"too wide":      {undecided(0.99, 1.0501), judge.Undecided, 0},
		"one-sided":     {undecided(1.004, 1.03), judge.NoChange, 0.03},
		"no interval":   {undecided(0, math.Inf(1)), judge.Undecided, 0},
		"same":          {judge.Verdict{Word: judge.Same, EquivalenceLow: 0.9961, EquivalenceHigh: 1.003}, judge.Same, 0.004},
		"exactly equal": {judge.Verdict{Word: judge.Same, EquivalenceLow: 1, EquivalenceHigh: 1}, judge.Same, 0},
		"faster":        {judge.Verdict{Word: judge.Faster, EquivalenceLow: 0.97, EquivalenceHigh: 0.98}, judge.Faster, 0},
		"disturbed": {judge.Verdict{Word: judge.Undecided, EquivalenceLow: 0.99, EquivalenceHigh: 1.01,
			OnlyDisturbed: "calm pairs show nothing"}, judge.Undecided, 0},
		"not together": {judge.Verdict{Word: judge.Undecided, EquivalenceLow: 0.99, EquivalenceHigh: 1.01, Indicative: true},
			judge.Undecided, 0},
	} {
		got := Excluding(c.v, judge.DefaultExcluded)
		if got.Word != c.word || math.Abs(got.Excluded-c.excluded) > 1e-12 {
			t.Errorf("%s: %s, %v excluded; want %s, %v", name, got.Word, got.Excluded, c.word, c.excluded)
		}
		if (got.Need == nil) != (got.Word != judge.Undecided || c.v.Need == nil) {
			t.Errorf("%s: %s needs %+v", name, got.Word, got.Need)
		}
	}
}

// A comparison that excludes 7 % needs less time to exclude 5 % than to tell a change of 1 % from none.
func TestTheNeedIsThatOfTheSoonerAnswer(t *testing.T) {
	wide := judge.Verdict{Word: judge.Undecided, EquivalenceLow: 1 / 1.07, EquivalenceHigh: 1.07, Alpha: 0.05, Starts: 10,
		Need: &judge.Need{Starts: 500, Factor: 51}}
	if got := Excluding(wide, judge.DefaultExcluded).Need; got.Starts != 10 || got.Factor != 2 {
		t.Errorf("1.07 to 1.05: twice the starts, %+v", got)
	}
	wide.Need = &judge.Need{Starts: 4, Factor: 1.4}
	if got := Excluding(wide, judge.DefaultExcluded).Need; got.Starts != 4 {
		t.Errorf("a difference would be shown sooner: %+v", got)
	}
	far := wide
	far.EquivalenceLow, far.EquivalenceHigh, far.Need = 1.01, 1.12, &judge.Need{Starts: 500}
	if got := Excluding(far, judge.DefaultExcluded).Need; got.Starts != 500 {
		t.Errorf("an estimate beyond 5 %% cannot be excluded: %+v", got)
	}
	wide.Need = nil
	if got := Excluding(wide, judge.DefaultExcluded).Need; got != nil {
		t.Errorf("what cannot go on needs nothing: %+v", got)
	}
}

// A bound is right as often as its interval says: a true change is excluded in few comparisons.
func TestTrueChangesAreSeldomExcluded(t *testing.T) {
	const comparisons, change = 400, 0.03
	rng, wrong := rand.New(rand.NewPCG(5, 2)), 0
	for range comparisons {
		var blocks []judge.Block
		for range 10 {
			b, luck := judge.Block{}, 0.02*rng.NormFloat64()
			for range 4 {
				b.Pairs = append(b.Pairs, judge.Pair{A: judge.Sample{measure.CPU.Key: 1000},
					B: judge.Sample{measure.CPU.Key: 1000 * (1 + change) * math.Exp(luck+0.03*rng.NormFloat64())}})
			}
			blocks = append(blocks, b)
		}
		v, err := judge.Decide(measure.CPU, blocks, judge.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if v = Excluding(v, judge.DefaultExcluded); v.Word.Alike() && v.Excluded <= change {
			wrong++
		}
	}
	if wrong > comparisons*judge.DefaultAlpha {
		t.Errorf("a true change of 3 %% is excluded in %d of %d", wrong, comparisons)
	}
}
