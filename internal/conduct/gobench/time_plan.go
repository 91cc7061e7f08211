package gobench

import "time"

// The budget of benchmarks is all the time after the builds, and the link orders of the first stages are builds. So a
// part of it is kept for what comes besides the first stages.

const (
	// secondShare is the part of the budget, 1 in secondShare, that is kept for second stages and their link orders.
	secondShare = 4
	// profileShare is the most of the budget, 1 in profileShare, that profiles take.
	profileShare = 5
	// shortProfile is the least time of a profile: 25 ticks, in each of the passes.
	shortProfile = 250 * time.Millisecond
)

// profileTime is about how long the profiled process of one pass of one side runs.
func (m *measurement) profileTime() time.Duration {
	if m.result.Budget == 0 {
		return longProfile
	}
	each := m.result.Budget / time.Duration(profileShare*2*profilePasses*max(1, len(m.benches)))
	return min(longProfile, max(shortProfile, each))
}

// afterRounds is what profiles and checks of faster benchmarks may take after the last round.
func (m *measurement) afterRounds() (after time.Duration) {
	if m.task.KeepProfiles != nil {
		after += time.Duration(2*profilePasses*len(m.benches)) * m.profileTime()
	}
	if m.task.staged() {
		after += m.result.Budget / firstShare
	}
	return after
}

// keptForSeconds is the part of the budget that is kept for second stages.
func (m *measurement) keptForSeconds() time.Duration {
	if !m.task.staged() {
		return 0
	}
	return m.result.Budget / secondShare
}
