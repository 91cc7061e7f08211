package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gohone/hone/stats"
)

// percent is a log ratio as people read it.
func percent(logRatio float64) string { return fmt.Sprintf("%+.1f %%", 100*math.Expm1(logRatio)) }

// CPU time per request of two variants, slice by slice: by how much does B differ?
func ExampleHodgesLehmann() {
	a := []float64{10.2, 10.4, 10.1, 10.3, 10.6, 10.2, 10.5, 10.3, 10.4, 10.2, 10.3, 10.1, 10.5, 10.2, 10.4, 10.3}
	// one was disturbed
	b := []float64{9.7, 10.0, 9.6, 9.9, 14.1, 9.8, 10.0, 9.9, 9.9, 9.8, 9.9, 9.7, 10.1, 9.7, 10.0, 9.8}
	d, err := stats.LogRatios(a, b)
	if err != nil {
		panic(err)
	}
	e, err := stats.HodgesLehmann(d, 0.95)
	if err != nil {
		panic(err)
	}
	fmt.Println(percent(e.Value), "from", percent(e.Low), "to", percent(e.High))
	// Output: -4.3 % from -4.4 % to -3.9 %
}

// Two looks at the differences of paired starts: the second may spend what the first left.
func ExampleSequentialSignFlip() {
	d := []float64{-0.031, -0.042, -0.029, -0.035, -0.040, -0.033, -0.038, -0.030}
	looks := []stats.Look{{N: 6, Spent: stats.PowerSpending(0.05, 0.5)}}
	first, err := stats.SequentialSignFlip(d[:6], nil, looks)
	if err != nil {
		panic(err)
	}
	looks = append(looks, stats.Look{N: 8, Spent: stats.PowerSpending(0.05, 1)})
	second, err := stats.SequentialSignFlip(d, nil, looks)
	if err != nil {
		panic(err)
	}
	fmt.Printf("6 starts: p %.3f, difference %v\n", first.P, first.Rejected)
	fmt.Printf("8 starts: p %.3f, difference %v, %s\n", second.P, second.Rejected, percent(second.Value))
	// Output:
	// 6 starts: p 0.031, difference false
	// 8 starts: p 0.008, difference true, -3.4 %
}

// p99 of two variants from the latencies of three starts each.
func ExampleQuantileRatio() {
	rng := rand.New(rand.NewPCG(1, 2))
	latencies := func(scale float64) (starts [][]stats.Distribution) {
		for range 3 {
			counts := map[float64]uint64{}
			for range 2000 {
				counts[math.Ceil(scale*math.Exp(0.3*rng.NormFloat64()))]++
			}
			var d stats.Distribution
			for us := 1.0; us < 10_000; us++ {
				if n := counts[us]; n > 0 {
					d = append(d, stats.Bin{Value: us, Count: n})
				}
			}
			starts = append(starts, []stats.Distribution{d})
		}
		return starts
	}
	r, err := stats.QuantileRatio(latencies(500), latencies(400), 0.99, 0.95, 2000, rng)
	if err != nil {
		panic(err)
	}
	fmt.Printf("p99 %.0f and %.0f us, B is lower: %v\n", r.A, r.B, r.High < 0)
	// Output:
	// p99 1019 and 788 us, B is lower: true
}

// Runs of a program over time: from the seventh on it takes longer.
func ExampleChangePoints() {
	history := []float64{10.1, 10.2, 10.0, 10.3, 10.1, 10.2, 11.4, 11.5, 11.3, 11.6, 11.4, 11.5}
	changes, err := stats.ChangePoints(history, stats.ChangeOptions{}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		panic(err)
	}
	for _, c := range changes {
		fmt.Printf("from run %d on: %.2f instead of %.2f\n", c.Index, c.After, c.Before)
	}
	// Output:
	// from run 6 on: 11.45 instead of 10.15
}

// Three tests at once: only the first stands.
func ExampleHolm() {
	adjusted, err := stats.Holm([]float64{0.01, 0.04, 0.03})
	fmt.Println(adjusted, err)
	// Output:
	// [0.03 0.06 0.06] <nil>
}

// A percentile of fewer values is their largest, whatever its name.
func ExampleResolves() {
	fmt.Println(stats.Resolving(0.999), stats.Resolves(500, 0.999))
	// Output:
	// 1000 false
}
