package compare

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// manyBenchmarks measures so many, the first of which is factor times as slow on B, until the referee says that it is
// over, and returns their verdicts and the blocks of the first and of the last.
func manyBenchmarks(t *testing.T, rng *rand.Rand, n int, factor float64) (all []judge.Verdict, first, last int) {
	t.Helper()
	var benches []*Contender
	for range n {
		benches = append(benches, timed())
	}
	r := ofBenchmarks(Question{Budget: time.Duration(30*n) * time.Second}, benches...)
	for round := 1; round < 60 && r.Stopped == ""; round++ {
		for i, b := range benches {
			if b.Done() {
				continue
			}
			by := 1.0
			if i == 0 {
				by = factor
			}
			b.Blocks = append(b.Blocks, turnsOf(rng, 1, by)...)
			time.Sleep(time.Second)
		}
		if round >= r.Next() {
			if _, err := r.LookAfter(round, time.Duration(n)*time.Second); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := r.End(); err != nil {
		t.Fatal(err)
	}
	for _, b := range benches {
		all = append(all, r.ContestOf(b).Verdict)
	}
	return all, len(benches[0].Blocks), len(benches[n-1].Blocks)
}

// Benchmarks of one run tell each other how they scatter: of twelve a difference of 5 % is shown and confirmed by half of
// the blocks that signs take, which are 9 and 11 at a twelfth of the level, and none of the others is called different.
func TestBenchmarksKnowTheScatterOfTheOthers(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 8))
	const rounds = 4
	blocks, found := 0, 0
	for range rounds {
		synctest.Test(t, func(t *testing.T) {
			all, n, _ := manyBenchmarks(t, rng, 12, 1.05)
			if blocks += n; all[0].Word == judge.Slower && all[0].Confirmed() {
				found++
			}
			for _, v := range all[1:] {
				if v.Word.Different() {
					t.Errorf("equal: %+v", v)
				}
			}
			if v := all[0]; v.Low > 1.05 || v.High < 1.05 {
				t.Logf("the interval %v ... %v does not hold 1.05", v.Low, v.High)
			}
		})
	}
	t.Logf("found %d of %d, in %.1f blocks", found, rounds, float64(blocks)/rounds)
	if found < rounds-1 || blocks > 14*rounds {
		t.Errorf("found %d of %d, in %.1f blocks", found, rounds, float64(blocks)/rounds)
	}
}

// What variants of a program scatter is not known from other measures, and few benchmarks tell nothing of each other.
func TestFewBenchmarksHaveNoPrior(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 9))
	var few []*Contender
	for range 4 {
		few = append(few, timed(turnsOf(rng, 6, 1)...))
	}
	r := ofBenchmarks(Question{Budget: time.Minute}, few...)
	look(t, r, 6)
	if p := r.knowing(few[0], measure.OperationTime, judge.Options{}).Prior; p.DF != 0 {
		t.Errorf("four benchmarks: %v", p)
	}
	five := ofBenchmarks(Question{Budget: time.Minute}, append(few, timed(turnsOf(rng, 6, 1)...))...)
	look(t, five, 6)
	if p := five.knowing(few[0], measure.OperationTime, judge.Options{}).Prior; p.DF == 0 {
		t.Error("five benchmarks have no prior")
	}
	if p := five.knowing(few[0], measure.CPU, judge.Options{}).Prior; p.DF != 0 {
		t.Errorf("another measure: %v", p)
	}
}
