package power_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/judge/power"
)

var (
	cpu    = judge.Measure{Key: "cpu", Name: "CPU per request", Unit: "ns", Level: judge.PerSlice}
	allocs = judge.Measure{Key: "allocs", Name: "allocations", Unit: "allocs", Level: judge.PerStart, Floor: 0.01}
)

// bench draws blocks of so many pairs each. noise and spread are the standard deviations of a slice and of the luck of a
// process, factor is the ratio of B to A.
type bench struct {
	pairs                 int
	noise, spread, factor float64
}

func (b bench) draw(rng *rand.Rand, starts int) []judge.Block {
	blocks := make([]judge.Block, starts)
	for i := range blocks {
		luck := b.spread * (rng.NormFloat64() - rng.NormFloat64())
		for range b.pairs {
			d := luck + b.noise*(rng.NormFloat64()-rng.NormFloat64())
			blocks[i].Pairs = append(blocks[i].Pairs,
				judge.Pair{A: judge.Sample{"cpu": 100}, B: judge.Sample{"cpu": 100 * b.factor * math.Exp(d)}})
		}
	}
	return blocks
}

// What is said to be the smallest change is found in four of five simulated comparisons, and
// equal variants are called different no more often than the level of both stages allows.
func TestPowerAgreesWithSimulation(t *testing.T) {
	b := bench{pairs: 12, noise: 0.03, spread: 0.004, factor: 1}
	rng := rand.New(rand.NewPCG(18, 7))
	budgets := []time.Duration{10 * time.Second, 20 * time.Second, 40 * time.Second}
	all, err := power.Of(cpu, b.draw(rng, 60), time.Second, budgets, judge.Options{}, rng)
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsInf(float64(all[0].Smallest), 1) || all[0].Drawn != 0 {
		t.Errorf("10 blocks: %+v, want nothing to be shown", all[0])
	}
	for _, p := range all[1:] {
		t.Logf("%+v", p)
		if p.Alarms > 2 || p.Drawn != 200 { // 0.1 at the level of both stages
			t.Errorf("%v: %d false alarms of %d", p.Budget, p.Alarms, p.Drawn)
		}
	}
	p := all[1]
	found := func() float64 {
		n := 0
		for range 40 {
			played, err := power.Play(cpu, b.draw(rng, 2*p.Blocks), p.Blocks, judge.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if played.Final.Word == judge.Slower {
				n++
			}
		}
		return float64(n) / 40
	}
	b.factor = 1 + float64(p.Smallest)
	if found := found(); found < 0.6 {
		t.Errorf("%v: +%.2f %% is found in %.0f %% of comparisons, want about 80 %%", p.Budget, 100*p.Smallest, 100*found)
	}
	b.factor = 1 + float64(p.Smallest)/2
	if found := found(); found > 0.65 {
		t.Errorf("%v: half of +%.2f %% is found in %.0f %% of comparisons", p.Budget, 100*p.Smallest, 100*found)
	}
	if all[2].Smallest >= all[1].Smallest || all[2].Same < all[1].Same {
		t.Errorf("more time shows less: %+v", all)
	}
	if _, err := power.Of(allocs, b.draw(rng, 8), time.Second, budgets, judge.Options{}, rng); !errors.Is(err, judge.ErrNotObserved) {
		t.Errorf("a measure that no block shows: %v", err)
	}
}

// The spread of pairs and starts is found again.
func TestSpread(t *testing.T) {
	b := bench{pairs: 30, noise: 0.03, spread: 0.02, factor: 1}
	// A pair has the noise of two slices, a block the luck of two processes. A change of
	// 20 % may make the spread look up to 1.7 times as large.
	for factor, most := range map[float64]float64{1: 0.025, 1.2: 0.036} {
		b.factor = factor
		within, between, _, err := power.Spread(cpu, b.draw(rand.New(rand.NewPCG(8, 8)), 60))
		if err != nil {
			t.Fatal(err)
		}
		if w := math.Sqrt(within / 2); w < 0.027 || w > 0.036 {
			t.Errorf("factor %v: noise %.4f, want about 0.03", factor, w)
		}
		if s := math.Sqrt(between / 2); s < 0.015 || s > most {
			t.Errorf("factor %v: spread %.4f, want about 0.02", factor, s)
		}
	}
	if _, _, _, err := power.Spread(cpu, nil); err == nil {
		t.Error("no blocks, and no error")
	}
}
