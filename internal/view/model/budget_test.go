package model

import (
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

func TestBudgetsAsPeopleTypeThem(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{97 * time.Second, "--budget 100s"}, {100 * time.Second, "--budget 100s"}, {time.Millisecond, "--budget 5s"},
		{17 * time.Second, "--budget 20s"}, {61 * time.Second, "--budget 70s"},
		{3*time.Minute + 1, "--budget 3m30s"}, {4 * time.Minute, "--budget 4m"},
		{11*time.Minute + 5*time.Second, "--budget 12m"},
	} {
		if got := budgetFlag(roundUp(c.d)); got != c.want {
			t.Errorf("%v: %s, want %s", c.d, got, c.want)
		}
	}
}

// What is out of reach can still be bounded, where that bound is one that says something.
func TestALargerBoundIsNamed(t *testing.T) {
	undecided := judge.Verdict{Measure: measure.CPU, Word: judge.Undecided, EquivalenceLow: 0.95, EquivalenceHigh: 1.083,
		Delta: 0.01}
	for name, c := range map[string]struct {
		change func(*judge.Verdict)
		want   string
	}{
		"of some per cent": {func(*judge.Verdict) {}, ", or take a larger bound for an answer: --set excluded=9%"},
		"too large":        {func(v *judge.Verdict) { v.EquivalenceHigh = 1.4 }, ""},
		"no interval":      {func(v *judge.Verdict) { v.EquivalenceLow = 0 }, ""},
		"only disturbed":   {func(v *judge.Verdict) { v.OnlyDisturbed = "calm pairs show nothing" }, ""},
	} {
		v := undecided
		c.change(&v)
		of := &record.Comparison{Contests: []record.Contest{{B: 1, Word: judge.Undecided, Verdicts: []judge.Verdict{v}}}}
		if got := largerBound(of); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
