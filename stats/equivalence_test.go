package stats

import (
	"math/rand/v2"
	"testing"
)

// The interval of two one-sided tests lies within the two-sided one, and is the two-sided one at
// twice the level, at each of several looks.
func TestEquivalenceIsTheIntervalAtTwiceTheLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 18))
	for range 20 {
		d := make([]float64, 16)
		for i := range d {
			d[i] = 0.1 + rng.NormFloat64()
		}
		once := []Look{{8, 0.0125}, {12, 0.03}, {16, 0.05}}
		twice := []Look{{8, 0.025}, {12, 0.06}, {16, 0.1}}
		for n := 1; n <= len(once); n++ {
			seen := d[:once[n-1].N]
			low, high, err := SequentialEquivalence(seen, nil, once[:n])
			if err != nil {
				t.Fatal(err)
			}
			wide, err := SequentialSignFlip(seen, nil, once[:n])
			if err != nil {
				t.Fatal(err)
			}
			same, err := SequentialSignFlip(seen, nil, twice[:n])
			if err != nil {
				t.Fatal(err)
			}
			const bisected = 1e-3
			if low < wide.Low-bisected || high > wide.High+bisected || low != same.Low || high != same.High {
				t.Errorf("look %d of %.3f: %v ... %v, two-sided %+v, at twice the level %+v", n, d, low, high, wide,
					same)
			}
		}
	}
	if _, _, err := SequentialEquivalence([]float64{1}, nil, nil); err == nil {
		t.Error("no looks, and no error")
	}
}
