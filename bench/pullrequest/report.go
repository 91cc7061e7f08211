package pullrequest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
)

// The goals that the results are held against.
const (
	inTimeGoal  = 0.95
	stoppedGoal = 38. / 40
)

// document makes the result of the records.
func document(res *bed.Result, records []record) {
	nothing, planted := filter(records, false), filter(records, true)
	ofNothing(res, nothing)
	ofPlanted(res, planted)
	t := res.Table("Pull requests", "library", "kind", "n", "decided in 3 min", "stopped", "open gates", "measured",
		"same code", "not executed", "seconds")
	done := map[string]bool{}
	for _, r := range slices.Concat(nothing, planted) {
		if done[r.name()] {
			continue
		}
		done[r.name()] = true
		var some []record
		for _, o := range slices.Concat(nothing, planted) {
			if o.name() == r.name() {
				some = append(some, o)
			}
		}
		count := func(of func(answer) int) string {
			return figures.Spread("%.0f", figures.Column(some, func(r record) float64 { return float64(of(*r.Said)) }))
		}
		kind := strings.TrimPrefix(r.name(), r.Repo+" ")
		t.Row(r.Repo, kind, fmt.Sprint(len(some)), fmt.Sprint(share(some, record.inTime).Of),
			fmt.Sprint(share(some, record.stopped).Of), count(func(a answer) int { return a.Open }),
			count(func(a answer) int { return a.Benchmarks }), count(func(a answer) int { return a.SameCode }),
			count(func(a answer) int { return a.NotExecuted }), seconds(some))
	}
}

// name is that of a row of the table.
func (r record) name() string {
	if r.Planted > 0 {
		return fmt.Sprintf("%s planted %g %%", r.Repo, 100*r.Planted)
	}
	return r.Repo + " " + string(r.Kind)
}

func filter(records []record, planted bool) (some []record) {
	for _, r := range records {
		if r.Said != nil && planted == (r.Planted > 0) {
			some = append(some, r)
		}
	}
	return some
}

func share(records []record, is func(record) bool) (s bed.Share) {
	for _, r := range records {
		s.Add(is(r))
	}
	return s
}

func seconds(records []record) string {
	return figures.Spread("%.0f", figures.Column(records, func(r record) float64 { return r.Said.Seconds }))
}

// ofNothing has the requests that change nothing.
func ofNothing(res *bed.Result, all []record) {
	if len(all) == 0 {
		return
	}
	res.Goal("pull requests that change nothing: all gates decided within 3 minutes, builds included",
		share(all, record.inTime), bed.AtLeast, inTimeGoal)
	gates, measured := bed.Share{}, 0
	for _, r := range all {
		gates.Of += r.Said.Passed + r.Said.Failed
		gates.N += r.Said.Passed + r.Said.Failed + r.Said.Open
		measured += r.Said.Benchmarks
	}
	res.Claim("of these requests", "gates decided %s; stopped %s; %d benchmarks measured; %s s each", gates,
		share(all, record.stopped), measured, seconds(all))
}

// ofPlanted has the requests with a slow-down.
func ofPlanted(res *bed.Result, all []record) {
	if len(all) == 0 {
		return
	}
	res.Goal(fmt.Sprintf("pull requests with a slow-down of %g %%: stopped by %s", 100*size, gate),
		share(all, record.stopped), bed.AtLeast, stoppedGoal)
	res.Claim("time of these requests", "%s s; all gates decided within 3 minutes %s", seconds(all),
		share(all, record.inTime))
}
