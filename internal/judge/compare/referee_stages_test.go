package compare

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// A link order costs 3 %. The second stage has other orders, and does not see it. The verdict says so, and is not a
// difference.
func TestADifferenceThatIsGoneIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewReferee(question(2, 40*time.Second))
		blocks := append(shifted(12, 1.03), noisyBlocks(40, 1, 0.004, 0.004)...)
		for n := 1; r.Stopped == ""; n++ {
			time.Sleep(time.Second)
			if r.Confirming() && r.Split() > 12 {
				t.Fatalf("the second stage began after %d blocks", r.Split())
			}
			if r.Due(n, time.Second) {
				seen := blocks[:min(n, 12)]
				if r.Confirming() {
					seen = append(seen[:r.Split():r.Split()], blocks[12:12+n-r.Split()]...)
				}
				if over, err := r.Look([][]judge.Block{seen}, time.Second); err != nil {
					t.Fatal(err)
				} else if over {
					blocks = seen
				}
			}
		}
		ruling, err := r.Rule(0, blocks)
		if err != nil {
			t.Fatal(err)
		}
		v := ruling.Verdicts[0]
		if v.Word.Different() || !v.Retracted() || v.First == nil || v.First.Word != judge.Slower ||
			v.First.Ratio < 1.02 || v.Ratio > 1.01 {
			t.Errorf("%+v, first %+v", v, v.First)
		}
		if v.Word == judge.Undecided && !strings.HasPrefix(v.Reason, "not confirmed: +") {
			t.Errorf("reason %q", v.Reason)
		}
	})
}

// A gate that the first stage failed is failed by the second one, or is not failed.
func TestAFailedGateIsConfirmed(t *testing.T) {
	for _, c := range []struct {
		name string
		then float64 // factor in the second stage
		want gate.Outcome
	}{
		{"again", 1.06, gate.Failed}, {"not again", 1, gate.Passed}, {"in part", 1.02, gate.Open},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				limit, err := gate.Parse("cpu<+2%")
				if err != nil {
					t.Fatal(err)
				}
				q := question(2, 40*time.Second)
				q.Gates = []gate.Gate{limit}
				r := NewReferee(q)
				first, second := shifted(40, 1.06), shifted(40, c.then)
				var blocks []judge.Block
				for over := false; !over; {
					time.Sleep(time.Second)
					if r.Confirming() {
						blocks = append(blocks, second[len(blocks)-r.Split()])
					} else {
						blocks = append(blocks, first[len(blocks)])
					}
					if r.Due(len(blocks), time.Second) {
						if over, err = r.Look([][]judge.Block{blocks}, time.Second); err != nil {
							t.Fatal(err)
						}
					}
				}
				ruling, err := r.Rule(0, blocks)
				if err != nil {
					t.Fatal(err)
				}
				if got := ruling.Gates[0]; got.Outcome != c.want ||
					strings.HasSuffix(got.Reason, ", confirmed") != (c.want == gate.Failed) || r.Split() == 0 ||
					r.Stopped != StoppedGates {
					t.Errorf("%+v, stopped by %q at %v, second stage from %d on", got, r.Stopped, r.Elapsed(), r.Split())
				}
			})
		})
	}
}

// A difference that is seen early does not end the comparison while a gate is open that the rest of the budget can
// settle.
func TestADifferenceLeavesOpenGatesTheirTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit, err := gate.Parse("allocs<=+5")
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(20) {
			q := question(2, time.Minute)
			q.Gates = []gate.Gate{limit}
			rng := rand.New(rand.NewPCG(39, seed))
			blocks := make([]judge.Block, 60)
			for i := range blocks {
				cpu := 750 * math.Exp(0.25*rng.NormFloat64()) // 25 % less CPU time, widely scattered
				allocs := 63 + 8*rng.NormFloat64()            // a few starts cannot exclude 5 more of 66
				blocks[i] = judge.Block{A: judge.Sample{measure.Allocs.Key: 66},
					B: judge.Sample{measure.Allocs.Key: allocs},
					Pairs: []judge.Pair{{A: judge.Sample{measure.CPU.Key: 1000},
						B: judge.Sample{measure.CPU.Key: cpu}}}}
			}
			r := play(t, q, blocks)
			ruling, err := r.Rule(0, blocks[:r.Looks[len(r.Looks)-1].Blocks])
			if err != nil {
				t.Fatal(err)
			}
			if ruling.Gates[0].Outcome == gate.Open && r.Elapsed() < 50*time.Second {
				t.Errorf("seed %d: %+v after %v of a minute, stopped by %q", seed, ruling.Gates[0], r.Elapsed(),
					r.Stopped)
			}
		}
	})
}

// A leak that costs no time is confirmed, although the first stage has taken the whole budget to look for a difference
// of CPU time.
func TestALeakThatCostsNoTimeIsConfirmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		blocks := noisy(60) // of CPU time nothing is shown
		for i := range blocks {
			blocks[i].A, blocks[i].B = judge.Sample{measure.HeapGrowth.Key: 0},
				judge.Sample{measure.HeapGrowth.Key: 1100 + float64(i%7)}
		}
		q := question(2, 20*time.Second)
		r := play(t, q, blocks)
		ruling, err := r.Rule(0, blocks[:r.Looks[len(r.Looks)-1].Blocks])
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range ruling.Verdicts {
			if v.Measure == measure.HeapGrowth && (v.Word != judge.Slower || !v.Confirmed()) {
				t.Errorf("%+v after %v", v, r.Elapsed())
			}
			if v.Measure == measure.CPU && v.Word.Different() {
				t.Errorf("%+v", v)
			}
		}
	})
}

// A server that keeps three times the memory, whose starts scatter by 2 %, has a verdict on it after nine starts, though
// nothing is shown of its CPU time. The interval of that has the blocks of both stages.
func TestMemoryFarBeyondItsScatterIsConfirmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for factor, want := range map[float64]judge.Word{3: judge.Slower, 0.4: judge.Faster, 1: judge.Undecided} {
			decided := 0
			for seed := range uint64(12) {
				rng := rand.New(rand.NewPCG(60, seed))
				blocks := scattered(rng, 12, 1, 0.1)
				for i := range blocks {
					blocks[i].A = judge.Sample{measure.PeakRSS.Key: 20e6}
					blocks[i].B = judge.Sample{measure.PeakRSS.Key: 20e6 * factor * math.Exp(0.02*rng.NormFloat64())}
				}
				q := question(2, 9*time.Second)
				q.Measures = []judge.Measure{measure.CPU, measure.PeakRSS}
				r := play(t, q, blocks)
				seen := r.Looks[len(r.Looks)-1].Blocks
				ruling, err := r.Rule(0, blocks[:seen])
				if err != nil {
					t.Fatal(err)
				}
				cpu, memory := ruling.Verdicts[0], ruling.Verdicts[1]
				if memory.Word.Different() {
					decided++
				}
				if memory.Word.Different() && memory.Word != want {
					t.Errorf("factor %v: %+v", factor, memory)
				}
				if cpu.Word.Different() || cpu.First == nil && cpu.Starts != seen {
					t.Errorf("factor %v: CPU time %s of %d of %d starts", factor, cpu.Word, cpu.Starts, seen)
				}
			}
			if want.Different() && decided < 11 || !want.Different() && decided > 0 {
				t.Errorf("factor %v: called different in %d of 12 comparisons", factor, decided)
			}
		}
	})
}

// A difference of 30 % and more is decided within a budget that has room for nine starts, on a machine where starts
// scatter by 5 %. Equal variants are not called different there.
func TestALargeDifferenceIsDecidedByFewStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, factor := range []float64{0.07, 0.5, 0.7, 1, 1.4} {
			decided := 0
			for seed := range uint64(12) {
				rng := rand.New(rand.NewPCG(54, seed))
				q := question(2, 9*time.Second)
				blocks := scattered(rng, 12, factor, 0.05)
				r := play(t, q, blocks)
				ruling, err := r.Rule(0, blocks[:r.Looks[len(r.Looks)-1].Blocks])
				if err != nil {
					t.Fatal(err)
				}
				if ruling.Word.Different() {
					decided++
				}
				if r.Elapsed() > 10*time.Second {
					t.Errorf("factor %v: took %v", factor, r.Elapsed())
				}
			}
			t.Logf("factor %v: called different in %d of 12 comparisons", factor, decided)
			if factor != 1 && decided < 11 || factor == 1 && decided > 0 {
				t.Errorf("factor %v: called different in %d of 12 comparisons", factor, decided)
			}
		}
	})
}

// A change of 93 % has a verdict where the budget ends with the first stage: it is measured again by the fewest starts,
// in half of the budget more. Equal variants are not called different there.
func TestAChangeOfNineTenthsHasAVerdictInAShortBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const budget = 6 * time.Second
		for factor, want := range map[float64]int{0.07: 12, 1: 0} {
			decided := 0
			for seed := range uint64(12) {
				blocks := scattered(rand.New(rand.NewPCG(58, seed)), 12, factor, 0.05)
				r := play(t, question(2, budget), blocks)
				ruling, err := r.Rule(0, blocks[:r.Looks[len(r.Looks)-1].Blocks])
				if err != nil {
					t.Fatal(err)
				}
				if ruling.Word.Different() {
					decided++
				}
				if r.Elapsed() > budget+budget/overForLarge {
					t.Errorf("factor %v: took %v", factor, r.Elapsed())
				}
			}
			if decided != want {
				t.Errorf("factor %v: called different in %d of 12 comparisons, want %d", factor, decided, want)
			}
		}
	})
}

// scattered is n blocks of four pairs each, of starts whose log ratios have this standard deviation.
func scattered(rng *rand.Rand, n int, factor, deviation float64) []judge.Block {
	var blocks []judge.Block
	for range n {
		d, b := deviation*rng.NormFloat64(), judge.Block{}
		for range 4 {
			cost := func(nanos float64) judge.Sample { return judge.Sample{measure.CPU.Key: nanos} }
			b.Pairs = append(b.Pairs, judge.Pair{A: cost(1000),
				B: cost(1000 * factor * math.Exp(d+0.02*rng.NormFloat64()))})
		}
		blocks = append(blocks, b)
	}
	return blocks
}
