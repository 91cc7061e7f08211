package judge

import (
	"math/rand/v2"
	"testing"
)

// Link orders that are observed again and again have an interval at the end of the budget, although the first stage looks for
// differences in its first half. Of six orders the one pattern that can be significant is mostly spent on an early look; eight have more.
func TestFewLayoutsHaveAnIntervalInTheEnd(t *testing.T) {
	for _, c := range []struct{ layouts, least, most int }{{6, 20, 40}, {8, 0, 1}, {12, 0, 1}} {
		without := 0
		rng := rand.New(rand.NewPCG(39, 8))
		for range 40 {
			blocks := bench{pairsPerStart: 4, noise: 0.01, spread: 0.03, factor: 1}.draw(rng, 24)
			o := Options{Staged: true}
			for i := range blocks {
				blocks[i].Layout = i%c.layouts + 1
				if n := i + 1; n >= 6 {
					o.Looks = append(o.Looks, Look{Blocks: n, Used: float64(n) / 24})
				}
			}
			v, err := Decide(cpu, blocks, o)
			if err != nil || v.Starts != c.layouts {
				t.Fatalf("%+v, %v", v, err)
			}
			if !v.Bounded() {
				without++
			}
		}
		t.Logf("%d layouts: %d of 40 without an interval", c.layouts, without)
		if without < c.least || without > c.most {
			t.Errorf("%d layouts: %d of 40 without an interval", c.layouts, without)
		}
	}
}
