package power_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/judge/power"
)

// The parts of the width are those that were put in: pairs, starts and link orders, each in its turn the largest. The
// starts that are missing narrow the interval to about what is said.
func TestTheWidthIsTakenApart(t *testing.T) {
	for _, c := range []struct {
		pairs, starts, orders float64 // standard deviations
		layouts               int     // of 24 blocks; 0: none is noted
		largest               judge.WidthOf
	}{
		{0.2, 0.005, 0, 0, judge.WidthOfPairs}, {0.01, 0.05, 0, 0, judge.WidthOfStarts}, {0.01, 0.02, 0.1, 8, judge.WidthOfOrders},
		{0.01, 0.08, 0.01, 12, judge.WidthOfStarts}, {0.01, 0.02, 0.05, 24, judge.WidthOfStartsAndOrders},
	} {
		rng := rand.New(rand.NewPCG(57, 4))
		draw := func(n int) (blocks []judge.Block) {
			order := make([]float64, max(1, c.layouts))
			for i := range order {
				order[i] = c.orders * rng.NormFloat64()
			}
			for i := range n {
				b, d := judge.Block{}, c.starts*rng.NormFloat64()
				if c.layouts > 0 {
					b.Layout, d = i%c.layouts+1, d+order[i%c.layouts]
				}
				for range 6 {
					b.Pairs = append(b.Pairs, judge.Pair{A: judge.Sample{"cpu": 100},
						B: judge.Sample{"cpu": 100 * math.Exp(d+c.pairs*rng.NormFloat64())}})
				}
				blocks = append(blocks, b)
			}
			return blocks
		}
		blocks := draw(24)
		v := decideOn(t, cpu, blocks)
		w := power.WidthOf(v, blocks)
		if w == nil || w.Parts[0].Of != c.largest || w.Starts < 1 {
			t.Errorf("%+v: %+v of %+v", c, w, v)
			continue
		}
		t.Logf("%+v: %+v", c, *w)
		sum := 0.0
		for _, p := range w.Parts {
			sum += p.Share
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%+v: the parts add up to %v", c, sum)
		}
		if c.layouts > 0 || w.Starts > 100 {
			continue
		}
		if wider := decideOn(t, cpu, draw(24+w.Starts)); wider.Resolution > 1.5*w.Resolution {
			t.Errorf("%+v: %d starts more give +-%v, not +-%v", c, w.Starts, wider.Resolution, w.Resolution)
		}
	}
	for n, spread := range map[int]float64{12: 0.0005, 3: 0.1} {
		blocks := bench{pairs: 4, noise: spread / 2, spread: spread, factor: 1}.draw(rand.New(rand.NewPCG(57, 4)), n)
		if w := power.WidthOf(decideOn(t, cpu, blocks), blocks); w != nil {
			t.Errorf("%d blocks, narrower than the tolerance or without an interval: %+v", n, w)
		}
	}
}

func decideOn(t *testing.T, m judge.Measure, blocks []judge.Block) judge.Verdict {
	t.Helper()
	v, err := judge.Decide(m, blocks, judge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}
