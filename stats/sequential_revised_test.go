package stats

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// Looks that only add values are those of SequentialSignFlip.
func TestRevisedSignFlipOfValuesThatStay(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var d, noise []float64
	for range 20 {
		d, noise = append(d, 0.3+rng.NormFloat64()), append(noise, 0.1+rng.Float64())
	}
	looks := []Look{{6, 0.005}, {12, 0.02}, {20, 0.05}}
	var seen []Seen
	for _, l := range looks {
		seen = append(seen, Seen{d[:l.N], noise[:l.N], l.Spent})
	}
	want, err := SequentialSignFlip(d, noise, looks)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := RevisedSignFlip(seen); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	low, high, err := SequentialEquivalence(d, noise, looks)
	if err != nil {
		t.Fatal(err)
	}
	if l, h, err := RevisedEquivalence(seen); err != nil || l != low || h != high {
		t.Errorf("%v ... %v, %v; want %v ... %v", l, h, err, low, high)
	}
}

// Eight units that each get another observation at each of four more looks: over all looks, no
// more than the level is rejected where nothing differs, and a difference is found.
func TestRevisedSignFlipKeepsItsLevel(t *testing.T) {
	const units, visits, trials, alpha = 8, 5, 2000, 0.05
	rejected := func(rng *rand.Rand, shift float64) bool {
		unit, sum := make([]float64, units), make([]float64, units)
		for i := range unit {
			unit[i] = shift + rng.NormFloat64()
		}
		var seen []Seen
		for visit := 1; visit <= visits; visit++ {
			values := make([]float64, units)
			for i := range values {
				sum[i] += unit[i] + rng.NormFloat64()
				values[i] = sum[i] / float64(visit)
			}
			seen = append(seen, Seen{values, nil, PowerSpending(alpha, float64(visit)/visits)})
			if _, _, rejected := revisedTest(seen).at(0); rejected {
				return true
			}
		}
		return false
	}
	rng := rand.New(rand.NewPCG(3, 4))
	alarms, found := 0, 0
	for range trials {
		if rejected(rng, 0) {
			alarms++
		}
		if rejected(rng, 1.5) {
			found++
		}
	}
	if share := float64(alarms) / trials; share > 0.065 || share < 0.03 { // 5 % and three standard errors
		t.Errorf("%.3f rejected where nothing differs", share)
	}
	if share := float64(found) / trials; share < 0.8 {
		t.Errorf("%.3f of the differences found", share)
	}
}

func TestRevisedSignFlipRefuses(t *testing.T) {
	for name, looks := range map[string][]Seen{
		"no look":      nil,
		"fewer values": {{Values: []float64{1, 2}, Spent: 0.01}, {Values: []float64{1}, Spent: 0.05}},
		"less spent":   {{Values: []float64{1}, Spent: 0.05}, {Values: []float64{1, 2}, Spent: 0.01}},
		"no value":     {{Spent: 0.05}},
		"noise":        {{Values: []float64{1, 2}, Noise: []float64{1}, Spent: 0.05}},
	} {
		if _, err := RevisedSignFlip(looks); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, _, err := RevisedEquivalence(looks); err == nil {
			t.Errorf("%s: no error of the equivalence", name)
		}
	}
}
