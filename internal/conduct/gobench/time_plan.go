package gobench

import (
	"time"

	"github.com/gohone/hone/judge"
)

// The budget of benchmarks is all the time after the builds, and the link orders of the first stages are builds. So a
// part of it is kept for what comes besides the first stages.

const (
	// secondShare is the part of the budget, 1 in secondShare, that is kept for second stages and their link orders.
	secondShare = 4
	// profileShare is the most of the budget, 1 in profileShare, that profiles take.
	profileShare = 5
	// over is the part of the budget, 1 in over, by which second stages may be too long together: what can be confirmed
	// is not given up for a moment.
	over = 8
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

// keptTime is the part of the budget that is not of the first stages.
func (m *measurement) keptTime() time.Duration {
	kept := m.afterRounds()
	if m.task.staged() {
		kept += m.result.Budget / secondShare
	}
	return kept
}

// fitSeconds shortens the second stages that begin so that the budget has room for all of them, given what a block of
// one benchmark takes. Each has as many blocks as can confirm anything.
func (m *measurement) fitSeconds(perBlock time.Duration) {
	wanted := m.confirmations()
	if m.result.Budget == 0 || wanted == 0 || perBlock <= 0 {
		return
	}
	left := m.result.Budget + m.result.Budget/over - m.afterRounds() - m.referee.Elapsed()
	room := max(0, int(left/perBlock))
	if room >= wanted {
		return
	}
	fewest := judge.FewestToConfirm(m.task.options().Alpha / float64(len(m.benches)))
	for _, b := range m.benches {
		if !b.Confirming() || b.ready || b.Done() {
			continue
		}
		n := b.Again()
		b.Shorten(max(min(n, fewest), n*room/wanted))
	}
}
