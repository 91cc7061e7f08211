package lab

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/internal/compare"
)

// play hands a referee blocks that take a second each until it has seen enough. contest i
// has variant i+1's blocks.
func play(t *testing.T, r Request, contests ...[]compare.Block) *referee {
	t.Helper()
	f := newReferee(&r)
	for n := 1; n <= len(contests[0]); n++ {
		time.Sleep(time.Second)
		if !f.due(n, time.Second) {
			continue
		}
		var seen [][]compare.Block
		for _, c := range contests {
			seen = append(seen, c[:n])
		}
		over, err := f.look(seen, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if over {
			return f
		}
	}
	t.Fatal("the referee never ended it")
	return nil
}

func shifted(n int, factor float64) []compare.Block {
	blocks := blocksOf(n, 4, 0.004, 0.002)
	for i := range blocks {
		for j := range blocks[i].Pairs {
			blocks[i].Pairs[j].B[compare.CPU.Key] *= factor
		}
	}
	return blocks
}

func TestRefereeEndsADifferenceEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := play(t, requestOf(2, time.Minute), shifted(100, 1.1))
		if c := f.contests[0]; c.Verdict.Word != compare.Slower || f.stopped != StoppedDecided || f.elapsed() > 15*time.Second {
			t.Errorf("%s after %v: %+v", f.stopped, f.elapsed(), c.Verdict)
		}
		if first, last := f.looks[0], f.looks[len(f.looks)-1]; first.Blocks != 6 || last.Used >= 1 {
			t.Errorf("looks %+v", f.looks)
		}
	})
}

func TestRefereeEndsEqualityEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := play(t, requestOf(2, time.Minute), shifted(100, 1))
		if c := f.contests[0]; c.Verdict.Word != compare.Same || f.stopped != StoppedDecided || f.elapsed() > 20*time.Second {
			t.Errorf("%s after %v: %+v", f.stopped, f.elapsed(), c.Verdict)
		}
	})
}

func TestRefereeEndsWithTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// The size is the seed, too: with that of 100 chance shows a difference, as it may in 5 %.
		f := play(t, requestOf(2, 20*time.Second), blocksOf(99, 4, 0.2, 0.2))
		if c := f.contests[0]; c.Verdict.Word != compare.Undecided || f.stopped != StoppedBudget || c.Verdict.Need == nil {
			t.Errorf("%s after %v: %+v", f.stopped, f.elapsed(), c.Verdict)
		}
		if last := f.looks[len(f.looks)-1]; f.elapsed() != 20*time.Second || last.Used != 1 || last.Blocks != 20 {
			t.Errorf("%v, last look %+v", f.elapsed(), last)
		}
	})
}

// A budget of three starts is used up after three: never a word but undecided.
func TestRefereeHasTooLittleTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := play(t, requestOf(2, 3*time.Second), shifted(100, 2))
		if c := f.contests[0]; c.Verdict.Word != compare.Undecided || c.Verdict.Starts != 3 || f.stopped != StoppedBudget {
			t.Errorf("%s: %+v", f.stopped, c.Verdict)
		}
	})
}

// Each layout is one start.
func TestRefereeEndsWithTheLayouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := requestOf(2, time.Hour)
		r.Layouts = 8
		f := play(t, r, blocksOf(100, 4, 0.2, 0.2))
		if last := f.looks[len(f.looks)-1]; last.Blocks != 8 || last.Used != 1 {
			t.Errorf("last look %+v", last)
		}
	})
}

// Holm: what is decided keeps its verdict, and leaves its share of the level to the rest.
func TestRefereeSharesTheLevel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := play(t, requestOf(3, 30*time.Second), shifted(100, 1.2), blocksOf(100, 4, 0.2, 0.2))
		clear, noisy := f.contests[0], f.contests[1]
		if clear.Verdict.Word != compare.Slower || clear.Verdict.Alpha != 0.025 || clear.Verdict.Starts > 15 {
			t.Errorf("the clear one: %+v", clear.Verdict)
		}
		if noisy.Verdict.Word != compare.Undecided || noisy.Verdict.Alpha != 0.05 || f.stopped != StoppedBudget {
			t.Errorf("the other: %+v", noisy.Verdict)
		}
	})
}

func TestRefereeEndsWithTheGates(t *testing.T) {
	gates := func(texts ...string) (all []compare.Gate) {
		for _, text := range texts {
			g, err := compare.ParseGate(text)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, g)
		}
		return all
	}
	synctest.Test(t, func(t *testing.T) {
		r := requestOf(2, time.Minute)
		r.Gates = gates("cpu<+5%")
		// 3 % slower: decided as slower at some look, but the gate is what was asked.
		if f := play(t, r, shifted(100, 1.03)); f.stopped != StoppedGates {
			t.Errorf("%s after %v", f.stopped, f.elapsed())
		}
		r.Gates = gates("cpu<+5%", "p99<+5%")
		if f := play(t, r, shifted(100, 1.03)); f.stopped != StoppedBudget {
			t.Errorf("a percentile's gate is looked at when the budget is used up, but: %s after %v", f.stopped, f.elapsed())
		}
	})
}
