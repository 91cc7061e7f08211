package power_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gohone/hone/judge"
)

// layoutTrial is a comparison of variants whose code is alike, where each pair of builds differs by what its
// layout costs.
type layoutTrial struct {
	layouts, blocks int
	sd              float64 // of what a layout costs, as a log ratio
	change          float64 // planted, as a log ratio
}

// run takes the blocks and looks at them after a third, two thirds, and all. unit says whether blocks have the layout
// that they ran.
func (l layoutTrial) run(t *testing.T, rng *rand.Rand, unit bool) (v judge.Verdict, shown bool) {
	t.Helper()
	cost := make([]float64, l.layouts)
	for i := range cost {
		cost[i] = l.sd * (rng.NormFloat64() - rng.NormFloat64())
	}
	var blocks []judge.Block
	o := judge.Options{}
	for n := 1; n <= l.blocks; n++ {
		layout := (n - 1) % l.layouts
		own := 0.005 * rng.NormFloat64()
		b := judge.Block{}
		if unit {
			b.Layout = layout + 1
		}
		for range 5 {
			change := l.change + cost[layout] + own + 0.02*rng.NormFloat64()
			b.Pairs = append(b.Pairs, judge.Pair{A: judge.Sample{"cpu": 100},
				B: judge.Sample{"cpu": 100 * math.Exp(change)}})
		}
		if blocks = append(blocks, b); n%(l.blocks/3) != 0 {
			continue
		}
		o.Looks = append(o.Looks, judge.Look{Blocks: n, Used: float64(n) / float64(l.blocks)})
		var err error
		if v, err = judge.Decide(cpu, blocks, o); err != nil {
			t.Fatal(err)
		}
		if v.Word == judge.Faster || v.Word == judge.Slower {
			return v, true
		}
	}
	return v, false
}

// Equal code whose layouts cost 5 % more or less: with the layout as the unit the level holds, also where each layout
// has several blocks. With one layout most comparisons call equal code different, and with the block as the unit too
// many do.
func TestLevelWhereLayoutsDiffer(t *testing.T) {
	const trials = 250
	rng := rand.New(rand.NewPCG(25, 5))
	for _, c := range []struct {
		name        string
		trial       layoutTrial
		unit        bool
		least, most float64
	}{
		{"one layout, as it was", layoutTrial{layouts: 1, blocks: 9, sd: 0.05}, false, 0.7, 1},
		{"three layouts, blocks are the unit", layoutTrial{layouts: 3, blocks: 9, sd: 0.05}, false, 0.1, 1},
		{"a layout for each block", layoutTrial{layouts: 9, blocks: 9, sd: 0.05}, true, 0, 0.09}, // 5 % and three standard errors
		{"six layouts", layoutTrial{layouts: 6, blocks: 18, sd: 0.05}, true, 0, 0.09},
		{"twenty percent are found over the layouts", layoutTrial{layouts: 9, blocks: 9, sd: 0.05, change: 0.2}, true, 0.9, 1},
	} {
		alarms := 0
		for range trials {
			if _, shown := c.trial.run(t, rng, c.unit); shown {
				alarms++
			}
		}
		if share := float64(alarms) / trials; share < c.least || share > c.most {
			t.Errorf("%s: %.3f called different, want %.2f ... %.2f", c.name, share, c.least, c.most)
		} else {
			t.Logf("%s: %.3f", c.name, share)
		}
	}
}

// More blocks of the same layouts are no more units, and the interval does not shrink below what the layouts tell.
func TestBlocksOfALayoutAreOneUnit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 25))
	few, _ := layoutTrial{layouts: 6, blocks: 6, sd: 0.05}.run(t, rng, true)
	rng = rand.New(rand.NewPCG(1, 25))
	many, _ := layoutTrial{layouts: 6, blocks: 60, sd: 0.05}.run(t, rng, true)
	if few.Starts != 6 || many.Starts != 6 || many.Pairs != 300 {
		t.Errorf("%d and %d units, %d pairs; want 6, 6 and 300", few.Starts, many.Starts, many.Pairs)
	}
	if many.Resolution < few.Resolution/2 {
		t.Errorf("half-width %.4f from 60 blocks, %.4f from 6 of the same layouts", many.Resolution, few.Resolution)
	}
}
