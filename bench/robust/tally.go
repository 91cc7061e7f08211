package robust

import (
	"fmt"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// tally is what became of some trials.
type tally struct {
	trials, hit, failed int
	executions          uint64
	seconds             float64
}

func tallyOf(own []record) tally {
	var t tally
	for _, r := range own {
		t.trials++
		if r.Outcome.Hit {
			t.hit++
		}
		if len(r.Outcome.Failures) > 0 {
			t.failed++
		}
		t.executions += r.Outcome.Executions
		t.seconds += r.Seconds
	}
	return t
}

// share is how many failed, with its interval.
func (t tally) share() string { return bed.Share{Of: t.failed, N: t.trials}.String() }

// hits is how many met what they were meant for; kinds that do not note it have none.
func (t tally) hits() string {
	if t.hit == 0 {
		return "-"
	}
	return fmt.Sprint(t.hit)
}

func (t tally) time() string {
	return (time.Duration(t.seconds * float64(time.Second))).Round(time.Second).String()
}

// byWhat are the trials of each thing that was tried.
func byWhat(own []record) map[string][]record {
	groups := map[string][]record{}
	for _, r := range own {
		groups[r.Outcome.What] = append(groups[r.Outcome.What], r)
	}
	return groups
}
