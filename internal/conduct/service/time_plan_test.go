package service

import (
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
)

// What a comparison keeps of its budget besides the blocks, and the blocks, are the budget together: whatever the
// budget and the profiles are, half of it is for blocks at least, and two thirds where the user asks for no traces.
func TestTheBudgetIsTheWholeTime(t *testing.T) {
	for _, seconds := range []int{3, 10, 20, 60, 600} {
		budget := time.Duration(seconds) * time.Second
		for what, r := range map[string]lab.Task{
			"as usual":      {Parts: spec.Parts{Observe: spec.Observe{ProfileTime: 2 * time.Second}}},
			"no profiles":   {},
			"no trace":      {Parts: spec.Parts{Observe: spec.Observe{ProfileTime: 2 * time.Second, NoTrace: true}}},
			"long profiles": {Parts: spec.Parts{Observe: spec.Observe{ProfileTime: time.Minute}}},
			"traces": {Parts: spec.Parts{Observe: spec.Observe{ProfileTime: 2 * time.Second,
				TraceTime: 5 * time.Second}}},
			"calibration": {Calibrate: true},
		} {
			r.Budget, r.Variants = budget, make([]build.Variant, 2)
			r = withinBudget(r)
			p := timesOf(r)
			blocks := p.forBlocks(budget)
			if least := budget * 2 / 3; blocks < budget/2 || p.asked == 0 && blocks < least {
				t.Errorf("%s, %v: %v for blocks", what, budget, blocks)
			}
			kept := p.passes + p.after + p.check + p.rest + p.asked
			if over := blocks + kept - budget; over > budget/5 && budget >= 20*time.Second && p.asked == 0 {
				t.Errorf("%s, %v: %v for blocks and %v besides", what, budget, blocks, kept)
			}
			if r.ProfileTime > max(leastPass, budget/profileShare) {
				t.Errorf("%s, %v: profiles of %v", what, budget, r.ProfileTime)
			}
		}
	}
	for budget, want := range map[time.Duration]time.Duration{
		10 * time.Second: 50 * time.Millisecond, 30 * time.Second: spec.ComparedWarmUp,
		time.Minute: spec.ComparedWarmUp,
	} {
		r := lab.Task{}
		r.Variants, r.WarmUp, r.Budget = make([]build.Variant, 2), spec.ComparedWarmUp, budget
		if got := withinBudget(r).WarmUp; got != want {
			t.Errorf("%v: the usual warm-up is %v, want %v", budget, got, want)
		}
		r.WarmUpGiven = true
		if got := withinBudget(r).WarmUp; got != r.WarmUp {
			t.Errorf("%v: a warm-up of the usual length that the user asks for is %v", budget, got)
		}
		if r.WarmUp = time.Second; withinBudget(r).WarmUp != time.Second {
			t.Errorf("%v: the warm-up that the user asks for is cut", budget)
		}
	}
	minute := lab.Task{Parts: spec.Parts{Observe: spec.Observe{ProfileTime: 2 * time.Second}}}
	minute.Budget, minute.Variants = time.Minute, make([]build.Variant, 2)
	if got := timesOf(minute).forBlocks(time.Minute); got < 45*time.Second {
		t.Errorf("of a minute %v is for blocks", got)
	}
}
