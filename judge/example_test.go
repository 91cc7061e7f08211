package judge_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/gohone/hone/judge"
)

var cpu = judge.Measure{Key: "cpu", Name: "CPU per request", Unit: "ns", Better: judge.Lower, Level: judge.PerSlice}

// starts are fresh starts of both variants, of four pairs each. B costs factor times what A does, give or take 1 %.
func starts(rng *rand.Rand, n int, factor float64) []judge.Block {
	blocks := make([]judge.Block, n)
	for i := range 4 * n {
		a := 14_000 * (1 + 0.01*rng.NormFloat64())
		pair := judge.Pair{A: judge.Sample{"cpu": a}, B: judge.Sample{"cpu": a * factor * (1 + 0.01*rng.NormFloat64())}}
		blocks[i/4].Pairs = append(blocks[i/4].Pairs, pair)
	}
	return blocks
}

// Five starts can show nothing at a level of 5 %, eight show a difference.
func ExampleDecide() {
	blocks := starts(rand.New(rand.NewPCG(1, 2)), 8, 0.93)
	for _, n := range []int{5, 8} {
		v, err := judge.Decide(cpu, blocks[:n], judge.Options{})
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: %s\n", v.Word, v.Reason)
		if v.Bounded() {
			fmt.Printf("B/A is %.3f, from %.3f to %.3f with %.0f %% confidence\n", v.Ratio, v.Low, v.High, 100*v.Conf)
		}
	}
	// Output:
	// undecided: too few starts: 5 starts of each variant, and fewer than 6 can never be significant at level 0.05
	// faster: 8 starts agree so far that chance would do it with p = 0.0078, under the 0.047 allowed by now
	// B/A is 0.929, from 0.925 to 0.933 with 95 % confidence
}

// The first six blocks show a difference. Those of the second stage do not.
func ExampleDecideInStages() {
	rng := rand.New(rand.NewPCG(3, 4))
	blocks := append(starts(rng, 6, 1.05), starts(rng, 7, 1)...) // first one link order, by bad luck
	v, err := judge.DecideInStages(cpu, blocks, judge.Options{Confirm: 6}, func(first judge.Verdict) bool { return first.Word.Different() })
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s, then %s: confirmed %v, taken back %v\n", v.First.Word, v.Word, v.Confirmed(), v.Retracted())
	// Output: slower, then same: confirmed false, taken back true
}
