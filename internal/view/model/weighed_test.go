package model

import (
	"slices"
	"testing"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/prof/production"
)

// What a load exercises is said once, and the change of each contest, where there is one: also that noise hides it.
func TestWeighed(t *testing.T) {
	covered := production.Overlap{Overlap: 71.2, Low: 68, High: 74}
	missing := []production.CoveredFunction{{Function: "shop.example/search.index", Production: 20, Run: 8},
		{Function: "main.parse", Production: 9, Run: 2}}
	of := func(b int, w *production.Weighing) record.Contest {
		return record.Contest{B: b, Weighed: &record.Weighed{By: "run 1a2b", Covered: covered, Missing: missing,
			Change: w}}
	}
	clear := &production.Weighing{Measured: -8, Change: -5.04, Low: -7.1, High: -2.9, Unseen: 28.9}
	hidden := &production.Weighing{Measured: -8, Change: -1, Low: -3, High: 1, Unseen: 0.2}
	const exercises = "production: this load exercises 71 % (68 ... 74) of production's CPU time, missing most: search.index 12 %, main.parse 7 %"
	for _, c := range []struct {
		contests []record.Contest
		want     []string
	}{
		{nil, nil},
		{[]record.Contest{{B: 1}}, nil},
		{[]record.Contest{of(1, nil)}, []string{exercises}},
		{[]record.Contest{of(1, clear)}, []string{exercises,
			"production: CPU per request -8.0 %; on production's profile about -5.0 % (-7.1 ... -2.9 %), where 29 % of its CPU time counts as unchanged, since the load does not exercise it"}},
		{[]record.Contest{of(1, clear), of(2, hidden)}, []string{exercises,
			"production: B: CPU per request -8.0 %; on production's profile about -5.0 % (-7.1 ... -2.9 %), where 29 % of its CPU time counts as unchanged, since the load does not exercise it",
			"production: C: CPU per request -8.0 %; on production's profile about -1.0 % (-3.0 ... +1.0 %), so that the noise hides whether it is a gain"}},
	} {
		var got []string
		for _, s := range weighed(&record.Comparison{Contests: c.contests}) {
			got = append(got, s.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q\nwant %q", got, c.want)
		}
	}
}
