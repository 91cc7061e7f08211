package judge

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// changed makes blocks of four pairs with A at 1000 and B at 1000 times a ratio, one block for each ratio.
func changed(m Measure, ratios ...float64) []Block {
	var blocks []Block
	for _, r := range ratios {
		b := Block{A: Sample{m.Key: 1000}, B: Sample{m.Key: 1000 * r}}
		for range 4 {
			b.Pairs = append(b.Pairs, Pair{A: b.A, B: b.B})
		}
		blocks = append(blocks, b)
	}
	return blocks
}

func spaced(n int, low, high float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = low + (high-low)*float64(i)/float64(n-1)
	}
	return out
}

func decideOn(t *testing.T, m Measure, blocks []Block) Verdict {
	t.Helper()
	v, err := Decide(m, blocks, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// What users read: each word with its reason, to the letter. B's starts are spread evenly between two ratios to A's.
func TestReasons(t *testing.T) {
	for _, c := range []struct {
		name   string
		blocks []Block
		word   Word
		reason string
	}{
		{
			"half the CPU", changed(cpu, spaced(8, 0.49, 0.51)...), Faster,
			"8 starts agree so far that chance would do it with p = 0.0078, under the 0.047 allowed by now",
		},
		{
			"3 % more CPU", changed(cpu, spaced(12, 1.02, 1.04)...), Slower,
			"12 starts agree so far that chance would do it with p = 0.00049, under the 0.042 allowed by now",
		},
		{
			"no change", changed(cpu, spaced(12, 0.995, 1.005)...), Same,
			"the whole 90 % interval, -0.18 ... +0.18 %, lies within +-1 %",
		},
		{
			"five starts", changed(cpu, spaced(5, 0.49, 0.51)...), Undecided,
			"too few starts: 5 starts of each variant, and fewer than 6 can never be significant at level 0.05",
		},
		{
			"one start", changed(cpu, 0.5), Undecided,
			"too few starts: 1 start of each variant, and fewer than 6 can never be significant at level 0.05",
		},
		{
			"noise", changed(cpu, spaced(12, 0.9, 1.12)...), Undecided,
			"interval too wide: -4.1 ... +6.0 % (+-5.12 %), want +-1 %",
		},
		{
			"neither nor", changed(cpu, spaced(12, 0.992, 1.02)...), Undecided,
			"between same and different: interval -0.04 ... +1.2 % reaches over +-1 %, and a difference is not proven",
		},
	} {
		v := decideOn(t, cpu, c.blocks)
		if v.Word != c.word || v.Reason != c.reason {
			t.Errorf("%s: %s: %q\nwant %s: %q", c.name, v.Word, v.Reason, c.word, c.reason)
		}
		if (v.Need != nil) != (v.Word == Undecided) {
			t.Errorf("%s: %s with need %v", c.name, v.Word, v.Need)
		}
	}
}

func TestAVerdictCarriesItsNumbers(t *testing.T) {
	blocks := changed(cpu, spaced(12, 0.069, 0.071)...)
	blocks = append(blocks, Block{Pairs: []Pair{
		{A: Sample{cpu.Key: 1000}, B: Sample{cpu.Key: math.NaN()}},
		{A: Sample{"p50": 1}, B: Sample{cpu.Key: 70}},
	}})
	v := decideOn(t, cpu, blocks)
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-3*want }
	switch {
	case v.Word != Faster, v.Measure.Key != "cpu", v.Pairs != 48, v.Missing != 2, v.Starts != 12, v.Looks != 1, v.Method != SignFlip:
		t.Errorf("%+v", v)
	case !near(v.A, 1000), !near(v.B, 70), !near(v.Ratio, 0.07), v.Low >= v.Ratio, v.High <= v.Ratio:
		t.Errorf("values: %+v", v)
	case v.Alpha != 0.05, !near(v.Delta, 0.01), v.Conf != 0.95, v.P > v.Level:
		t.Errorf("options in force: %+v", v)
	case !near(v.Resolution, math.Sqrt(v.High/v.Low)-1), v.Detectable <= v.Resolution:
		t.Errorf("resolution %v, detectable %v of %v ... %v", v.Resolution, v.Detectable, v.Low, v.High)
	}
}

// Pairs make the estimate of their start: the middle one counts, whatever the others suffered.
func TestADisturbedPairIsKeptAndOutvoted(t *testing.T) {
	blocks := changed(cpu, spaced(12, 0.995, 1.005)...)
	for i := range blocks {
		blocks[i].Pairs[i%4].B = Sample{cpu.Key: 5000}
	}
	if v := decideOn(t, cpu, blocks); v.Word != Same || v.Pairs != 48 || v.Missing != 0 {
		t.Errorf("%+v", v)
	}
}

func TestFasterFollowsTheDirection(t *testing.T) {
	up, down := spaced(12, 1.09, 1.11), spaced(12, 0.89, 0.91)
	for _, m := range []Measure{cpu, throughput, allocs, memory} {
		more, less := Slower, Faster
		if m.Better == Higher {
			more, less = Faster, Slower
		}
		if got := decideOn(t, m, changed(m, up...)).Word; got != more {
			t.Errorf("%s 10 %% up: %s, want %s", m.Name, got, more)
		}
		if got := decideOn(t, m, changed(m, down...)).Word; got != less {
			t.Errorf("%s 10 %% down: %s, want %s", m.Name, got, less)
		}
	}
}

// Nothing out of nothing is the same; from something to nothing is a gain, not an
// error; and a slice in which the service stood still is kept.
func TestZeros(t *testing.T) {
	blocks := func(a, b float64) (all []Block) {
		for range 12 {
			all = append(all, Block{A: Sample{"allocs": a}, B: Sample{"allocs": b}})
		}
		return all
	}
	if v := decideOn(t, allocs, blocks(0, 0.001)); v.Word != Same || v.Ratio != 1 || v.Low != 1 || v.High != 1 {
		t.Errorf("no allocations on either side: %+v", v)
	}
	if v := decideOn(t, allocs, blocks(2, 0)); v.Word != Faster || v.B != 0 {
		t.Errorf("2 allocations to none: %+v", v)
	}
	frozen := changed(throughput, spaced(12, 1.18, 1.22)...)
	frozen[3].Pairs[0].B = Sample{throughput.Key: 0}
	if v := decideOn(t, throughput, frozen); v.Word != Faster || v.Pairs != 48 || math.Abs(v.Ratio-1.2) > 0.01 {
		t.Errorf("one frozen slice of 48: %+v", v)
	}
}

func TestBadInputIsNamed(t *testing.T) {
	good := changed(cpu, spaced(12, 0.9, 1.1)...)
	with := func(a, b float64) []Block {
		return append(changed(cpu, 1, 1), Block{Pairs: []Pair{{A: Sample{cpu.Key: a}, B: Sample{cpu.Key: b}}}})
	}
	for _, c := range []struct {
		blocks []Block
		o      Options
		want   []string
	}{
		{with(1, -1), Options{}, []string{"compare CPU per request", "slice 0 of start 2", "B: ", "-1 ns"}},
		{with(0, 1), Options{}, []string{"A: CPU per request is 0 ns, want a number over 0"}},
		{with(math.Inf(1), 1), Options{}, []string{"A: CPU per request is +Inf ns"}},
		{good, Options{Alpha: 0.5}, []string{"alpha is 0.5, want a fraction of 0 ... 0.4"}},
		{good, Options{Alpha: 5, Delta: 1}, []string{"alpha is 5", "delta is 1"}},
		{good, Options{Delta: math.NaN()}, []string{"delta is NaN"}},
	} {
		_, err := Decide(cpu, c.blocks, c.o)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want one that says %q", err, want)
			}
		}
	}
	for _, blocks := range [][]Block{nil, {{}}, changed(throughput, 1, 2), with(math.NaN(), 1)[2:]} {
		if _, err := Decide(cpu, blocks, Options{}); !errors.Is(err, ErrNotObserved) {
			t.Errorf("%v: error %v, want ErrNotObserved", blocks, err)
		}
	}
}

// The level sets how many starts a verdict takes at the least.
func TestFewestBlocks(t *testing.T) {
	for alpha, want := range map[float64]int{0.25: 3, 0.0625: 5, 0.05: 6, 0.03125: 6, 0.01: 8, 0.001: 11} {
		if got := FewestBlocks(alpha); got != want {
			t.Errorf("level %v: %d starts, want %d", alpha, got, want)
		}
		o := Options{Alpha: alpha}
		v, err := Decide(cpu, changed(cpu, spaced(want, 0.49, 0.51)...), o)
		if err != nil || v.Word != Faster {
			t.Errorf("level %v, %d starts: %s (%v)", alpha, want, v.Word, err)
		}
		if want < 3 {
			continue
		}
		v, err = Decide(cpu, changed(cpu, spaced(want-1, 0.49, 0.51)...), o)
		if err != nil || v.Word != Undecided || v.Need.Starts != 1 {
			t.Errorf("level %v, %d starts: %s, need %+v (%v)", alpha, want-1, v.Word, v.Need, err)
		}
	}
}

// Looks are translated to the blocks that show a measure: the 3rd to 10th of ten.
func TestLooksOfAMeasureThatSomeBlocksLack(t *testing.T) {
	o := Options{Alpha: 0.05, Looks: []Look{{2, 0.1}, {6, 0.5}, {7, 0.6}, {10, 1}}}
	got := o.looksAt([]int{2, 3, 4, 5, 6, 7, 8, 9}, 1)
	if len(got) != 3 || got[0].N != 4 || got[1].N != 5 || got[2].N != 8 || got[2].Spent != 0.05 {
		t.Errorf("%+v", got)
	}
	if got := o.looksAt([]int{0, 1}, 1); len(got) != 1 || got[0].N != 2 || got[0].Spent != 0.05 {
		t.Errorf("nothing new since the first look: %+v", got)
	}
}

// More time is worth naming only if it helps: with what Need asks for, of the same
// kind, there is a decision, or at least the interval has come down to the tolerance.
func TestNeedIsAboutEnough(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 5))
	b := bench{pairsPerStart: 8, noise: 0.06, spread: 0.004, factor: 1}
	asked, met := 0, 0
	for range 20 {
		v := decideOn(t, cpu, b.draw(rng, 10))
		if v.Need == nil {
			continue
		}
		asked++
		enough := v.Starts + v.Need.Starts
		if got := float64(enough) / float64(v.Starts); math.Abs(got-v.Need.Factor) > 1e-9 {
			t.Errorf("%d starts instead of %d: factor %v", enough, v.Starts, v.Need.Factor)
		}
		// The width of 10 starts is itself known to a quarter or so.
		if w := decideOn(t, cpu, b.draw(rng, enough)); w.Word != Undecided || w.Resolution < 1.5*w.Delta {
			met++
		}
	}
	if asked < 10 || float64(met) < 0.75*float64(asked) {
		t.Errorf("%d of 20 comparisons were undecided, and of those %d decided or narrow enough with what they asked for", asked, met)
	}
}

// leads says that A, Ratio and B agree.
func leads(v Verdict) bool { return math.Abs(v.B/(v.A*v.Ratio)-1) < 1e-9 }

// A against B and B against A are one question; the order of pairs in a start is none.
func TestSwapAndOrder(t *testing.T) {
	opposite := map[Word]Word{Faster: Slower, Slower: Faster, Same: Same, Undecided: Undecided}
	rng := rand.New(rand.NewPCG(11, 6))
	for range 100 {
		b := bench{pairsPerStart: 1 + rng.IntN(9), noise: []float64{0.001, 0.01, 0.05}[rng.IntN(3)], factor: []float64{1, 0.97, 1.05, 1.01}[rng.IntN(4)]}
		blocks := b.draw(rng, 1+rng.IntN(12))
		var swapped []Block
		for _, block := range blocks {
			var s Block
			for _, i := range rng.Perm(len(block.Pairs)) {
				s.Pairs = append(s.Pairs, Pair{A: block.Pairs[i].B, B: block.Pairs[i].A})
			}
			swapped = append(swapped, s)
		}
		v, w := decideOn(t, cpu, blocks), decideOn(t, cpu, swapped)
		if w.Word != opposite[v.Word] || !leads(v) || !leads(w) || w.P != v.P || math.Abs(v.Ratio*w.Ratio-1) > 1e-9 {
			t.Fatalf("%+v: %+v\nswapped: %+v", b, v, w)
		}
	}
}

func TestVerdictsSurviveJSON(t *testing.T) {
	for _, blocks := range [][]Block{
		changed(cpu, 0.5, 0.5), // unbounded
		changed(cpu, spaced(12, 0.49, 0.51)...),
		changed(cpu, spaced(12, 0.9, 1.12)...),
	} {
		v := decideOn(t, cpu, blocks)
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var back Verdict
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(back)
		if err != nil || string(again) != string(text) || back.High != v.High || back.Resolution != v.Resolution || back.Detectable != v.Detectable {
			t.Errorf("%s\nbecame %s (%v)", text, again, err)
		}
		if bounded := !math.IsInf(v.High, 1); bounded == strings.Contains(string(text), `"high":null`) {
			t.Errorf("bounded %v: %s", bounded, text)
		}
	}
}
