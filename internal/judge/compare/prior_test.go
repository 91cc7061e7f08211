package compare

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/stats"
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

// playedBy measures a variant until the referee says that it is over, and returns its verdict and its blocks.
func playedBy(t *testing.T, rng *rand.Rand, earlier func(*Contender) Earlier, factor float64) (v judge.Verdict, n int) {
	t.Helper()
	one := simulated{factor: factor, between: 0.008, within: 0.004}
	r := NewReferee(Question{Gated: measure.CPU, Measures: []judge.Measure{measure.CPU}, Budget: 40 * time.Second,
		Variants: []string{"B"}, Earlier: earlier})
	var blocks []judge.Block
	for over := false; !over && n < 100; {
		n++
		layout := 0
		if r.Confirming() && r.OrdersMatter() {
			layout = n
		}
		blocks = append(blocks, one.block(rng, layout))
		time.Sleep(time.Second)
		if r.Due(n, time.Second) {
			var err error
			if over, err = r.Look([][]judge.Block{blocks}, time.Second); err != nil {
				t.Fatal(err)
			}
		}
	}
	ruling, err := r.Rule(0, blocks)
	if err != nil {
		t.Fatal(err)
	}
	return ruling.Verdicts[0], n
}

// A program whose last comparisons are stored needs fewer blocks for the same answer: 5 % is found and confirmed by
// about half of them where second stages are known, too. Equal variants stay without a difference.
func TestAVariantKnowsWhatEarlierComparisonsScattered(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 30))
	known := Earlier{}
	for range 6 {
		synctest.Test(t, func(t *testing.T) {
			v, _ := playedBy(t, rng, nil, 1.1)
			known.Add(v)
		})
	}
	known.Add(judge.Verdict{}) // of one start
	if len(known.First) != 6 || len(known.Again) != 6 {
		t.Fatalf("%+v", known)
	}
	const rounds = 8
	blocks := map[bool]int{}
	for _, knows := range []bool{false, true} {
		var earlier func(*Contender) Earlier
		if knows {
			earlier = func(*Contender) Earlier { return known }
		}
		for i := range 2 * rounds {
			synctest.Test(t, func(t *testing.T) {
				factor := []float64{1, 1.05}[i%2]
				v, n := playedBy(t, rng, earlier, factor)
				if (v.Word == judge.Slower) != (factor > 1) || v.Word == judge.Faster {
					t.Errorf("known %v: %v is %s, after %d blocks: %s", knows, factor, v.Word, n, v.Reason)
				}
				if factor > 1 {
					blocks[knows] += n
				}
			})
		}
	}
	t.Logf("5 %% takes %.1f blocks, and %.1f where the scatter is known", float64(blocks[false])/rounds,
		float64(blocks[true])/rounds)
	if 3*blocks[true] > 2*blocks[false] {
		t.Errorf("5 %% takes %d blocks in all, and %d where the scatter is known", blocks[false], blocks[true])
	}
}

// A neighbour that never rests is believed where no earlier comparison had a calm moment.
func TestAMachineThatIsNeverCalm(t *testing.T) {
	q := Question{Gated: measure.CPU, Measures: []judge.Measure{measure.CPU}, Budget: time.Minute, Variants: []string{"B"}}
	for calm, want := range map[int]bool{0: true, 1: false} {
		q.Earlier = func(*Contender) (e Earlier) {
			for i := range 6 {
				v := judge.Verdict{Disturbed: 1, Scatter: stats.Scatter{Variance: 1e-4, DF: 5}}
				if i < calm {
					v.Disturbed = 0.9
				}
				e.Add(v)
			}
			return e
		}
		r := NewReferee(q)
		o := r.knowing(r.contenders[0], measure.CPU, judge.Options{})
		if o.NeverCalm != want || o.Prior.DF == 0 || o.PriorAgain.DF != 0 {
			t.Errorf("%d calm ones: %+v", calm, o)
		}
	}
}
