package gobench

import (
	"testing"
	"time"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/ledger"
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
			for i := range m.benches {
				m.benches[i] = &bench{}
			}
			if first := m.newReferee().Budget; first < budget/2 || first >= budget {
				t.Errorf("%v, %d benchmarks: %v for the first stages", budget, n, first)
			}
		}
	}
	m := &measurement{task: Task{Test: spec.Test{Count: 10}}, benches: make([]*bench, 1), result: &benchmarks.Result{}}
	if m.profileTime() != longProfile || m.afterRounds()+m.keptForSeconds() != 0 {
		t.Errorf("without a budget: profiles of %v, %v kept", m.profileTime(), m.afterRounds()+m.keptForSeconds())
	}
}
