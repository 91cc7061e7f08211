package compare

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/judge"
)

// narrowed measures benchmarks whose blocks take a second each, B as much slower as factors says, until the referee
// says that it is over. Of the budget nine tenths are for blocks, and a quarter of all is kept for second stages.
func narrowed(t *testing.T, rng *rand.Rand, q Question, budget time.Duration, factors ...float64) (all []Ruling,
	r *Referee) {
	t.Helper()
	var benches []*Contender
	for range factors {
		benches = append(benches, timed())
	}
	if q.Budget = budget; q.Again == 0 {
		q.Again = budget / 4
	}
	q.After = budget / 10
	r = ofBenchmarks(q, benches...)
	for round := 1; r.Stopped == ""; round++ {
		began := time.Now()
		for i, b := range benches {
			if !b.Done() && !r.Waits(b) {
				b.Blocks = append(b.Blocks, turnsOf(rng, 1, factors[i])...)
				time.Sleep(time.Second)
			}
		}
		if each := time.Since(began); r.Due(round, each) {
			if _, err := r.LookAfter(round, each); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := r.End(); err != nil {
		t.Fatal(err)
	}
	for _, b := range benches {
		ruling, err := r.RuleOn(b)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, ruling)
	}
	return all, r
}

// Where there is nothing to confirm, the time that was kept for it narrows the interval.
func TestTheTimeOfSecondStagesNarrowsWhatHasNone(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 60))
	synctest.Test(t, func(t *testing.T) {
		options := judge.Options{Delta: 0.0005} // that is out of reach
		all, r := narrowed(t, rng, Question{Options: options}, 20*time.Second, 1)
		if n := len(r.contenders[0].Blocks); n < 17 || r.Elapsed() > 19*time.Second || r.Stopped != StoppedBudget {
			t.Errorf("%d blocks in %v, %s", n, r.Elapsed(), r.Stopped)
		}
		if v := all[0].Verdicts[0]; v.Starts < 17 || v.Word != judge.NoChange || v.First != nil {
			t.Errorf("%+v", v)
		}
	})
	synctest.Test(t, func(t *testing.T) { // a second stage comes first
		options := judge.Options{Delta: 0.0005}
		all, r := narrowed(t, rng, Question{Options: options}, 40*time.Second, 1.05, 1)
		if !all[0].Verdicts[0].Confirmed() || all[1].Word != judge.NoChange || r.Elapsed() > 40*time.Second {
			t.Errorf("after %v: %+v and %+v", r.Elapsed(), all[0].Verdicts[0], all[1].Verdicts[0])
		}
	})
}

// If a change begins after the time for alarms, hone neither calls it different nor fails a gate.
func TestWhatIsSeenLateIsNoAlarm(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 61))
	limit, err := gate.ParseOf("time<+2%", []judge.Measure{measure.OperationTime})
	if err != nil {
		t.Fatal(err)
	}
	for _, gates := range [][]gate.Gate{nil, {limit}} {
		synctest.Test(t, func(t *testing.T) {
			b := timed()
			r := ofBenchmarks(Question{Gates: gates, Budget: time.Minute, Again: 40 * time.Second}, b)
			for round := 1; r.Stopped == ""; round++ {
				factor := 1.1
				if round <= 30 {
					factor = []float64{0.945, 1.1}[round%2] // nothing is clear until there is no time for an alarm
				}
				b.Blocks = append(b.Blocks, turnsOf(rng, 1, factor)...)
				if time.Sleep(time.Second); r.Due(round, time.Second) {
					look(t, r, round)
				}
			}
			ruling, err := r.RuleOn(b)
			if err != nil {
				t.Fatal(err)
			}
			if !b.late || ruling.Word.Different() || ruling.Verdicts[0].Low < 1.02 {
				t.Errorf("%+v", ruling.Verdicts[0])
			}
			for _, g := range ruling.Gates {
				if g.Outcome != gate.Open {
					t.Errorf("%+v", g)
				}
			}
		})
	}
}

// Of equal benchmarks hardly any is called different or fails a gate with the rounds that narrow, and no more than
// without; a bound is narrower with them, and excludes a true change as seldom as its level says.
func TestNarrowingKeepsTheLevel(t *testing.T) { narrowing(t, 10) }

func TestNarrowingKeepsTheLevelInHundreds(t *testing.T) { narrowing(t, 300) }

func narrowing(t *testing.T, comparisons int) {
	rng := rand.New(rand.NewPCG(57, 62))
	limit, err := gate.ParseOf("time<+1%", []judge.Measure{measure.OperationTime})
	if err != nil {
		t.Fatal(err)
	}
	const budget, change = 24 * time.Second, 0.01
	alarms, failed, passed, wrong := 0, 0, 0, 0
	width := map[bool]float64{}
	for i := range comparisons {
		synctest.Test(t, func(t *testing.T) {
			gates := [][]gate.Gate{nil, {limit}}[i%2]
			q := Question{Gates: gates, Options: judge.Options{Delta: 0.001}}
			equal, _ := narrowed(t, rng, q, budget, 1)
			if equal[0].Word.Different() {
				alarms++
			}
			width[true] += equal[0].Verdicts[0].Resolution
			for _, g := range equal[0].Gates {
				if g.Outcome == gate.Failed {
					failed++
				}
			}
			slower, _ := narrowed(t, rng, q, budget, 1+change)
			if w := slower[0]; w.Word.Alike() && w.Verdicts[0].Excluded <= change*0.999 {
				wrong++
			}
			for _, g := range slower[0].Gates {
				if g.Outcome == gate.Passed { // it is at the limit
					passed++
				}
			}
			q.Again = time.Nanosecond // no rounds that narrow: the time is first stage's
			short, _ := narrowed(t, rng, q, budget*13/18, 1)
			width[false] += short[0].Verdicts[0].Resolution
		})
	}
	n := float64(comparisons)
	t.Logf("of %d equal ones %d are called different, and %d of %d fail a gate; of as many that are 1 %% slower %d "+
		"exclude that, and %d of %d pass a gate at 1 %%; the interval is +-%.2f %%, without such rounds +-%.2f %%",
		comparisons, alarms, failed, comparisons/2, wrong, passed, comparisons/2, 100*width[true]/n, 100*width[false]/n)
	if float64(alarms+failed) > 1+n/500 || float64(wrong) > 0.05*n+3 || float64(passed) > 0.025*n+3 ||
		width[true] > 0.95*width[false] {
		t.Error("want 1 in 2,000, 1 in 20, and a narrower interval")
	}
}
