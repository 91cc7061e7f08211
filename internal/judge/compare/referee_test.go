package compare

import (
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// play hands a referee blocks that take a second each until it has seen enough. contest i
// has variant i+1's blocks.
func play(t *testing.T, q Question, contests ...[]judge.Block) *Referee {
	t.Helper()
	f := NewReferee(q)
	for n := 1; n <= len(contests[0]); n++ {
		time.Sleep(time.Second)
		if !f.Due(n, time.Second) {
			continue
		}
		var seen [][]judge.Block
		for _, c := range contests {
			seen = append(seen, c[:n])
		}
		over, err := f.Look(seen, time.Second)
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

// question is on the CPU time of so many variants, A among them.
func question(variants int, budget time.Duration) Question {
	return Question{Gated: measure.CPU, Measures: measure.All, Budget: budget, Variants: make([]string, variants-1)}
}

// noisyBlocks makes n blocks of four pairs: B costs factor times what A does, give or take
// within per pair and between per start.
func noisyBlocks(n int, factor, within, between float64) []judge.Block {
	rng := rand.New(rand.NewPCG(uint64(n), 4))
	var blocks []judge.Block
	for range n {
		var b judge.Block
		luck := between * rng.NormFloat64()
		for range 4 {
			d := luck + within*rng.NormFloat64()
			b.Pairs = append(b.Pairs, judge.Pair{A: judge.Sample{measure.CPU.Key: 1000},
				B: judge.Sample{measure.CPU.Key: 1000 * factor * math.Exp(d)}})
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// shifted is a steady program at factor times the cost, noisy is one that differs by 20 %
// from start to start.
func shifted(n int, factor float64) []judge.Block { return noisyBlocks(n, factor, 0.004, 0.002) }
func noisy(n int) []judge.Block                   { return noisyBlocks(n, 1, 0.2, 0.2) }

func TestRefereeEndsADifferenceEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := play(t, question(2, time.Minute), shifted(100, 1.1))
		if c := f.Contest(0); c.Verdict.Word != judge.Slower || f.Stopped != StoppedDecided ||
			f.Elapsed() > 18*time.Second || !f.Confirming() {
			t.Errorf("%s after %v: %+v", f.Stopped, f.Elapsed(), c.Verdict)
		}
		if first, last := f.Looks[0], f.Looks[len(f.Looks)-1]; first.Blocks != judge.FirstLook || last.Used >= 1 {
			t.Errorf("looks %+v", f.Looks)
		}
	})
}

func TestRefereeEndsEqualityEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := play(t, question(2, time.Minute), shifted(100, 1))
		if c := f.Contest(0); c.Verdict.Word != judge.Same || f.Stopped != StoppedDecided ||
			f.Elapsed() > 20*time.Second {
			t.Errorf("%s after %v: %+v", f.Stopped, f.Elapsed(), c.Verdict)
		}
	})
}

func TestRefereeEndsWithTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// The size is the seed, too: with that of 100 chance shows a difference, as it may in 5 %.
		f := play(t, question(2, 20*time.Second), noisy(99))
		if c := f.Contest(0); c.Verdict.Word != judge.Undecided || f.Stopped != StoppedBudget || c.Verdict.Need == nil {
			t.Errorf("%s after %v: %+v", f.Stopped, f.Elapsed(), c.Verdict)
		}
		if last := f.Looks[len(f.Looks)-1]; f.Elapsed() != 20*time.Second || last.Used != 1 || last.Blocks != 20 {
			t.Errorf("%v, last look %+v", f.Elapsed(), last)
		}
	})
}

// A budget of three starts is used up after three: never a word but undecided.
func TestRefereeHasTooLittleTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := play(t, question(2, 3*time.Second), shifted(100, 2))
		if c := f.Contest(0); c.Verdict.Word != judge.Undecided || c.Verdict.Starts != 3 || f.Stopped != StoppedBudget {
			t.Errorf("%s: %+v", f.Stopped, c.Verdict)
		}
	})
}

// Each layout is one start.
func TestRefereeEndsWithTheLayouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := question(2, time.Hour)
		q.Most = 8
		f := play(t, q, noisy(100))
		if last := f.Looks[len(f.Looks)-1]; last.Blocks != 8 || last.Used != 1 {
			t.Errorf("last look %+v", last)
		}
	})
}

// Holm: what is decided keeps its verdict, and leaves its share of the level to the rest.
func TestRefereeSharesTheLevel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := play(t, question(3, 30*time.Second), shifted(100, 1.2), noisy(100))
		clear, other := f.Contest(0), f.Contest(1)
		if clear.Verdict.Word != judge.Slower || clear.Verdict.Alpha != 0.025 || clear.Verdict.Starts > 15 ||
			!f.Confirming() {
			t.Errorf("the clear one: %+v", clear.Verdict)
		}
		if other.Verdict.Word != judge.Undecided || other.Verdict.Alpha != 0.05 || f.Stopped != StoppedConfirmed ||
			f.Elapsed() > 31*time.Second {
			t.Errorf("%s after %v, the other: %+v", f.Stopped, f.Elapsed(), other.Verdict)
		}
	})
}

func TestRefereeEndsWithTheGates(t *testing.T) {
	gates := func(texts ...string) (all []gate.Gate) {
		for _, text := range texts {
			g, err := gate.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, g)
		}
		return all
	}
	synctest.Test(t, func(t *testing.T) {
		q := question(2, time.Minute)
		q.Gates = gates("cpu<+5%")
		// 3 % slower: decided as slower at some look, but the gate is what was asked.
		if f := play(t, q, shifted(100, 1.03)); f.Stopped != StoppedGates {
			t.Errorf("%s after %v", f.Stopped, f.Elapsed())
		}
		q.Gates = gates("cpu<+5%", "p99<+5%")
		if f := play(t, q, shifted(100, 1.03)); f.Stopped != StoppedConfirmed || f.Elapsed() < 50*time.Second {
			t.Errorf("a percentile's gate is looked at when the budget is used up, but: %s after %v", f.Stopped,
				f.Elapsed())
		}
	})
}

// Time that profiles take between blocks is not the comparison's.
func TestTheBudgetIsForBlocksAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewReferee(Question{Budget: 10 * time.Second})
		time.Sleep(9 * time.Second)
		r.Exclude(5 * time.Second)
		if got := r.Elapsed(); got != 4*time.Second {
			t.Errorf("elapsed %v of the budget, want 4s", got)
		}
		if r.Due(1, 2*time.Second) {
			t.Error("a look is due with most of the budget left")
		}
	})
}

// Together, every variant keeps its share of the level although others are shown, and its
// interval is that of all blocks; one after the other, what is shown hands its share on.
func TestIntervalsThatHoldTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shown, open := shifted(40, 1.3), noisyBlocks(40, 1, 0.05, 0.05)
		for _, together := range []bool{false, true} {
			q := question(3, 40*time.Second)
			q.Together = together
			f := play(t, q, shown, open)
			last := f.Looks[len(f.Looks)-1].Blocks
			for i, blocks := range [][]judge.Block{shown[:last], open[:last]} {
				ruling, err := f.Rule(i, blocks)
				if err != nil {
					t.Fatal(err)
				}
				v := ruling.Verdicts[0]
				wantAlpha, want := 0.025, last
				switch {
				case i == 0:
					wantAlpha, want = q.Options.Confirming(0.025).Alpha, last-f.Split()
				case !together:
					wantAlpha = 0.05
				}
				if math.Abs(v.Alpha-wantAlpha) > 1e-12 || ruling.Word != v.Word || together && v.Starts != want ||
					(v.First != nil) != (i == 0) {
					t.Errorf("together %v, variant %d: alpha %v of %d of %d starts, %s and %s, want alpha %v", together,
						i, v.Alpha, v.Starts, last, ruling.Word, v.Word, wantAlpha)
				}
			}
			if c := f.Contest(0); c.Verdict.Word != judge.Slower {
				t.Errorf("together %v: %+v", together, c.Verdict)
			}
		}
	})
}
