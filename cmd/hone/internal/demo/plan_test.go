package demo

import (
	"testing"
	"time"
)

// The demo without a name is promised to end within a minute of its start.
func TestTheFirstDemoIsPlannedForAMinute(t *testing.T) {
	if got := tours[0].planned(); got > time.Minute {
		t.Errorf("hone demo is planned for %v, want at most a minute", got)
	}
}

// Whatever the steps take, as long as each keeps to its part of the plan and the build is
// from a warm cache, the tour ends in time; and comparisons have time to show something.
func TestTheStepsOfADemoAddUp(t *testing.T) {
	for _, tour := range tours {
		for name, took := range map[string]struct{ build, beyond time.Duration }{
			"as planned":           {planBuild, planFindings},
			"quick":                {time.Second, time.Second},
			"slow at each finding": {planBuild / 2, planFindings + 2*time.Second},
			"a cold build":         {3 * time.Minute, planFindings},
		} {
			now := time.Now()
			c := tour.startClock(func() time.Time { return now })
			now = now.Add(took.build)
			c.builtNow()
			for leg := range tour.legs() {
				budget := c.budget(leg)
				if budget < planLeast || budget > tour.load.budget {
					t.Errorf("%s, %s: comparison %d gets %v, want %v to %v", tour.name, name, leg+1, budget, planLeast,
						tour.load.budget)
				}
				now = now.Add(budget + took.beyond)
			}
			if tour.refused.stage != "" {
				now = now.Add(planRefusal)
			}
			// The last step cannot be made up for by a later one.
			limit := tour.planned() + max(0, took.build-planBuild) + max(0, took.beyond-planFindings)
			if got := c.elapsed(); got > limit {
				t.Errorf("%s, %s: took %v of %v", tour.name, name, got, limit)
			}
		}
	}
}
