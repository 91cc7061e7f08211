package judge

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/gohone/hone/stats"
)

// bench simulates comparisons of CPU per request, A at about 14 us.
type bench struct {
	pairsPerStart int
	// noise is the standard deviation of a slice's logarithm around its process; in
	// disturbed pairs, one in twenty, a neighbour makes one slice up to 30 % dearer.
	noise float64
	// spread is the standard deviation of the luck of a process, for as long as it lives.
	// Two processes of one binary were measured to differ by up to 0.6 %.
	spread float64
	// factor is the true ratio B/A.
	factor float64
}

func (b bench) draw(rng *rand.Rand, starts int) []Block {
	var blocks []Block
	for range starts {
		luckA, luckB := b.spread*rng.NormFloat64(), b.spread*rng.NormFloat64()
		var block Block
		for range b.pairsPerStart {
			a, z := b.noise*rng.NormFloat64(), b.noise*rng.NormFloat64()
			if rng.IntN(20) == 0 {
				if hit := 0.3 * rng.Float64(); rng.IntN(2) == 0 {
					a += hit
				} else {
					z += hit
				}
			}
			block.Pairs = append(block.Pairs, Pair{
				A: Sample{cpu.Key: 14_000 * math.Exp(luckA+a)}, B: Sample{cpu.Key: 14_000 * b.factor * math.Exp(luckB+z)},
			})
		}
		blocks = append(blocks, block)
	}
	return blocks
}

// inTurn decides as a conductor does: look after look until there is a decision or the
// budget of so many starts is used up.
func (b bench) inTurn(t *testing.T, rng *rand.Rand, most int) Verdict {
	t.Helper()
	blocks := b.draw(rng, most)
	var looks []Look
	for n := FewestBlocks(DefaultAlpha); ; n = min(NextLook(n), most) {
		looks = append(looks, Look{Blocks: n, Used: float64(n) / float64(most)})
		v, err := Decide(cpu, blocks[:n], Options{Looks: looks})
		if err != nil {
			t.Fatal(err)
		}
		if v.Word != Undecided || n == most {
			return v
		}
	}
}

// words returns the share of each word in so many comparisons.
func (b bench) words(t *testing.T, seed uint64, rounds, most int) map[Word]float64 {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 20))
	shares := map[Word]float64{}
	for range rounds {
		shares[b.inTurn(t, rng, most).Word] += 1 / float64(rounds)
	}
	return shares
}

// The same binary on both sides, each process with its luck: over all looks at most 5 in
// 100 comparisons call it faster or slower. 100 comparisons have 5 +- 2.2 of them.
func TestFalseAlarms(t *testing.T) {
	const rounds = 100
	for i, c := range []struct {
		bench
		most int
	}{
		{bench{pairsPerStart: 8, noise: 0.03}, 8},
		{bench{pairsPerStart: 12, noise: 0.03}, 12},
		{bench{pairsPerStart: 20, noise: 0.005}, 14}, // next to nothing but the luck of the starts
	} {
		c.factor, c.spread = 1, 0.004
		shares := c.words(t, uint64(i), rounds, c.most)
		t.Logf("%+v: %.3v", c, shares)
		if alarms := shares[Faster] + shares[Slower]; alarms > 0.11 {
			t.Errorf("%+v: false alarms in %.1f %% of A/A comparisons, want at most 5 %%", c, 100*alarms)
		}
	}
}

func TestPlantedDifferencesAreFound(t *testing.T) {
	b := bench{pairsPerStart: 16, noise: 0.035, spread: 0.004}
	for _, c := range []struct {
		factor float64
		want   Word
		power  float64
		starts int
	}{
		{0.97, Faster, 0.9, 12}, {1.05, Slower, 0.95, 8}, {1.015, Slower, 0.7, 24},
	} {
		b.factor = c.factor
		shares := b.words(t, 3, 40, c.starts)
		t.Logf("factor %v: %.3v", c.factor, shares)
		if shares[c.want] < c.power {
			t.Errorf("factor %v: %s in %.1f %% of comparisons, want %.0f %%", c.factor, c.want, 100*shares[c.want], 100*c.power)
		}
		if wrong := map[Word]Word{Faster: Slower, Slower: Faster}[c.want]; shares[wrong] > 0 {
			t.Errorf("factor %v: wrong words: %v", c.factor, shares)
		}
	}
}

// Equal variants are called the same, and the sooner the less noise there is; a
// difference over the tolerance hardly ever is.
func TestEquivalence(t *testing.T) {
	equal := bench{pairsPerStart: 20, noise: 0.03, spread: 0.003, factor: 1}
	if shares := equal.words(t, 4, 40, 22); shares[Same] < 0.8 {
		t.Errorf("equal variants: %v", shares)
	}
	other := bench{pairsPerStart: 20, noise: 0.02, spread: 0.003, factor: 1.015}
	if shares := other.words(t, 5, 40, 22); shares[Same] > 0.05 || shares[Faster] > 0 {
		t.Errorf("+1.5 %%: %v", shares)
	}
}

// A difference of exactly the tolerance is called the same in at most 5 of 100 comparisons,
// over all looks: the level of each one-sided test. 100 comparisons have up to 5 +- 2.2.
func TestADifferenceOfTheToleranceIsNotTheSame(t *testing.T) {
	const rounds = 100
	for i, factor := range []float64{1 + DefaultDelta, 1 / (1 + DefaultDelta)} {
		b := bench{pairsPerStart: 12, noise: 0.02, spread: 0.004, factor: factor}
		shares := b.words(t, uint64(60+i), rounds, 14)
		t.Logf("factor %v: %.3v", factor, shares)
		if shares[Same] > 0.1 {
			t.Errorf("factor %v: called the same in %.0f %% of comparisons, want at most 5 %%", factor, 100*shares[Same])
		}
	}
}

// A huge gain takes the fewest starts there are.
func TestAHugeGainTakesSixStarts(t *testing.T) {
	b := bench{pairsPerStart: 4, noise: 0.1, spread: 0.004, factor: 0.07}
	rng := rand.New(rand.NewPCG(6, 6))
	for range 20 {
		if v := b.inTurn(t, rng, 10); v.Word != Faster || v.Starts > 7 {
			t.Fatalf("-93 %%: %+v", v)
		}
	}
}

// latencies draws so many around a median, with a tail.
func latencies(rng *rand.Rand, n int, median float64) stats.Distribution {
	counts := make([]uint64, 400)
	for range n {
		v := median * math.Exp(0.3*rng.NormFloat64())
		if rng.IntN(50) == 0 {
			v *= 4
		}
		counts[min(399, int(v))]++
	}
	var d stats.Distribution
	for i, c := range counts {
		if c > 0 {
			d = append(d, stats.Bin{Value: float64(i + 1), Count: c})
		}
	}
	return d
}

func TestPercentiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	draw := func(starts, perSlice int, factor float64) (blocks []Block) {
		for range starts {
			var b Block
			for range 4 {
				b.Pairs = append(b.Pairs, Pair{LatencyA: latencies(rng, perSlice, 60), LatencyB: latencies(rng, perSlice, 60*factor)})
			}
			blocks = append(blocks, b)
		}
		return blocks
	}
	slower := draw(8, 500, 1.3)
	slower[2].Pairs[1].LatencyA = nil // in which nothing was answered
	for _, q := range []float64{0.5, 0.9, 0.99} {
		v := decideOn(t, latency(q), slower)
		if v.Word != Slower || v.Low > 1.3 || v.High < 1.2 || v.Method != Bootstrap || v.Starts != 8 || v.Pairs != 31 || v.Missing != 1 {
			t.Errorf("%v: %+v", q, v)
		}
		if again := decideOn(t, latency(q), slower); !reflect.DeepEqual(again, v) {
			t.Errorf("%v: the same slices give %+v and %+v", q, v, again)
		}
	}
	if v := decideOn(t, latency(0.5), draw(8, 500, 1)); v.Word == Slower || v.Word == Faster || v.Low > 1 || v.High < 1 {
		t.Errorf("equal variants: %+v", v)
	}
	if v := decideOn(t, latency(0.5), draw(3, 500, 2)); v.Word != Undecided || !math.IsInf(v.High, 1) || v.Need == nil {
		t.Errorf("three starts: %+v", v)
	}
	two := draw(1, 500, 1)
	two[0].Pairs = two[0].Pairs[:2]
	for q, blocks := range map[float64][]Block{
		0.999: draw(8, 250, 1), // 8 requests of 8,000 lie beyond it
		0.5:   two,             // two slices of one start show no scatter
	} {
		if v, err := Decide(latency(q), blocks, Options{}); !errors.Is(err, ErrNotObserved) {
			t.Errorf("%v: %+v, error %v, want ErrNotObserved", q, v, err)
		}
	}
}
