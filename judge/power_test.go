package judge

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// What is said to be the smallest change is found in four of five simulated comparisons, and
// equal variants are called different no more often than the level of both stages allows.
func TestPowerAgreesWithSimulation(t *testing.T) {
	b := bench{pairsPerStart: 12, noise: 0.03, spread: 0.004, factor: 1}
	rng := rand.New(rand.NewPCG(18, 7))
	budgets := []time.Duration{10 * time.Second, 20 * time.Second, 40 * time.Second}
	all, err := PowerOf(cpu, b.draw(rng, 60), time.Second, budgets, Options{}, rng)
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsInf(float64(all[0].Smallest), 1) || all[0].Drawn != 0 {
		t.Errorf("10 blocks: %+v, want nothing to be shown", all[0])
	}
	for _, p := range all[1:] {
		t.Logf("%+v", p)
		if p.Alarms > 2 || p.Drawn != drawnComparisons { // 0.1 at the level of both stages
			t.Errorf("%v: %d false alarms of %d", p.Budget, p.Alarms, p.Drawn)
		}
	}
	p := all[1]
	found := func() float64 {
		n := 0
		for range 40 {
			if _, v, _ := playedStages(t, cpu, b.draw(rng, 2*p.Blocks), p.Blocks); v.Word == Slower {
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
	if _, err := PowerOf(allocs, b.draw(rng, 8), time.Second, budgets, Options{}, rng); !errors.Is(err, ErrNotObserved) {
		t.Errorf("a measure that no block shows: %v", err)
	}
}
