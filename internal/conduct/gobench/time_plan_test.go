package gobench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
)

// What comes after the first stages is kept of the budget, and leaves most of it to them.
func TestWhatTheBudgetIsFor(t *testing.T) {
	keep := func(ledger.Run, string, []prof.Capture) (string, error) { return "", nil }
	for _, budget := range []time.Duration{time.Second, 10 * time.Second, time.Minute, 10 * time.Minute} {
		for _, n := range []int{1, 3, 30} {
			m := &measurement{task: Task{Test: spec.Test{Budget: budget}, KeepProfiles: keep},
				benches: make([]*bench, n),
				result:  &benchmarks.Result{Budget: budget}}
			profiles := time.Duration(2*profilePasses*n) * m.profileTime()
			if most := max(budget/profileShare, time.Duration(2*profilePasses*n)*shortProfile); profiles > most {
				t.Errorf("%v, %d benchmarks: the profiles take %v", budget, n, profiles)
			}
			pace := compare.NewPace(budget, 0, 6)
			if pace.Keep(m.keptTime()); pace.Budget < budget/2 || pace.Budget >= budget {
				t.Errorf("%v, %d benchmarks: %v for the first stages", budget, n, pace.Budget)
			}
		}
	}
	m := &measurement{task: Task{Test: spec.Test{Count: 10}}, benches: make([]*bench, 1), result: &benchmarks.Result{}}
	if m.profileTime() != longProfile || m.keptTime() != 0 {
		t.Errorf("without a budget: profiles of %v, %v kept", m.profileTime(), m.keptTime())
	}
}

// Second stages share the time that is left, and each has as many blocks as can confirm anything.
func TestSecondStagesFitIntoTheBudget(t *testing.T) {
	rng := rand.New(rand.NewPCG(54, 1))
	for _, c := range []struct {
		perBlock time.Duration
		want     func(n int) bool
	}{
		{time.Millisecond, func(n int) bool { return n == 80 }},
		{time.Second, func(n int) bool { return n > 8 && 2*n <= 62 }},
		{time.Minute, func(n int) bool { return n == 8 }},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := &measurement{task: Task{Test: spec.Test{Budget: time.Minute}},
				result: &benchmarks.Result{Budget: time.Minute}}
			for i := range 2 {
				m.benches = append(m.benches, &bench{name: fmt.Sprint(i), Contender: compare.Contender{
					Measures: []judge.Measure{measure.OperationTime}, Blocks: turnsOf(rng, 10, 1.05)}})
			}
			m.referee = m.newReferee()
			time.Sleep(24 * time.Second)
			if _, err := m.referee.LookAfter(10, 0); err != nil {
				t.Fatal(err)
			}
			for _, b := range m.benches {
				b.Shorten(80)
			}
			m.fitSeconds(c.perBlock)
			for _, b := range m.benches {
				if n := b.Again(); !c.want(n) {
					t.Errorf("%v for a block: %d blocks", c.perBlock, n)
				}
			}
		})
	}
}

// turnsOf are n blocks of three pairs in which B takes factor times as long as A.
func turnsOf(rng *rand.Rand, n int, factor float64) (blocks []judge.Block) {
	for range n {
		a, b := []float64{1000, 1000, 1000}, []float64{}
		for range a {
			b = append(b, 1000*factor*math.Exp(0.005*rng.NormFloat64()))
		}
		block := judge.Block{}
		for _, one := range blocksOf(measure.OperationTime, a, b) {
			block.Pairs = append(block.Pairs, one.Pairs...)
		}
		blocks = append(blocks, block)
	}
	return blocks
}
