package track

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
)

// The goals that the results are held against.
const (
	withinGoal = 0.95
	foundGoal  = 1
)

// history are the chains of a library's series.
func history(records []record, repo string) (*chains.History, error) {
	return chains.HistoryOf("", series.Content{Points: pointsOf(records, repo)}, chains.Query{}, chains.Options{},
		chains.StepOptions{})
}

// steps are those of all chains of the library.
func (l library) steps(records []record) (all []chains.Step, err error) {
	h, err := history(records, l.repo)
	if err != nil {
		return nil, err
	}
	for _, line := range h.Lines {
		all = append(all, line.Steps...)
	}
	return all, nil
}

// value is what a comparison says of one measure; nil if it did not measure it.
func (r *record) value(name, key string) *series.Value {
	for _, p := range r.Points {
		for i, v := range p.Values {
			if v.Name == name && v.Measure == key && v.State == series.Measured {
				return &p.Values[i]
			}
		}
	}
	return nil
}

// numbers are the numbers of a library's commits by their hashes.
func numbers(records []record, repo string) map[string]int {
	all := map[string]int{}
	for _, r := range records {
		if r.Repo == repo && !r.Direct && len(r.Points) > 0 {
			all[r.Points[0].Commit.Hash] = r.Commit
		}
	}
	return all
}

// document makes the result of the records.
func document(res *bed.Result, records []record) {
	t := res.Table("Libraries", "library", "commits", "comparisons", "seconds each", "load")
	for _, l := range libraries {
		var seconds, loads []float64
		points := 0
		for _, r := range records {
			if r.Repo == l.repo && r.Slope == nil && !r.Direct {
				seconds, loads, points = append(seconds, r.Seconds), append(loads, r.Load), points+len(r.Points)
			}
		}
		t.Row(l.repo, fmt.Sprint(l.tracked(records)), fmt.Sprint(points), figures.Spread("%.0f", seconds),
			figures.Spread("%.1f", loads))
	}
	steps := res.Table("Steps", "library", "benchmark", "measure", "after", "at", "ratio", "state", "directly")
	confirmed, within := bed.Share{}, bed.Share{}
	found := map[plant]*bed.Share{}
	back := bed.Share{}
	for _, l := range libraries {
		h, err := history(records, l.repo)
		if err != nil {
			t.Say("%s: %v", l.repo, err)
			continue
		}
		at := numbers(records, l.repo)
		for _, line := range h.Lines {
			for _, s := range line.Steps {
				directly := "not measured yet"
				if d := direct(records, l.repo, at[s.Commit.Hash], at[s.After.Hash], s.Name); d != nil {
					v := d.value(s.Name, s.Measure)
					confirmed.Add(v != nil && sameDirection(s, *v))
					if directly = "not measured"; v != nil {
						directly = fmt.Sprintf("%.3f (%.3f ... %.3f)", v.Ratio, v.Low, v.High)
					}
				}
				steps.Row(l.repo, s.Name[strings.LastIndexByte(s.Name, '.')+1:], s.Measure, fmt.Sprint(at[s.After.Hash]),
					fmt.Sprint(at[s.Commit.Hash]), fmt.Sprintf("%.3f (%.3f ... %.3f)", s.Ratio, s.Low, s.High),
					string(s.State), directly)
			}
			ofDistant(&within, records, l, line, at)
		}
		if l.tracked(records) < length {
			continue
		}
		for _, p := range plants {
			if found[p] == nil {
				found[p] = &bed.Share{}
			}
			s := plantedStep(h, l, p, at)
			found[p].Add(s != nil)
			if p.back < length {
				back.Add(s != nil && s.State == chains.TakenBack)
			}
		}
	}
	res.Goal("steps that a direct comparison of their two ends confirms", confirmed, bed.AtLeast, foundGoal)
	res.Goal("the product of a chain and the direct comparison of two distant commits: the intervals have a value in common",
		within, bed.AtLeast, withinGoal)
	for _, p := range plants {
		if s := found[p]; s != nil {
			res.Goal(fmt.Sprintf("planted %g %%: found at its commit", 100*p.size), *s, bed.AtLeast, foundGoal)
		}
	}
	if back.N > 0 {
		res.Goal("planted and undone: seen as taken back", back, bed.AtLeast, foundGoal)
	}
	single(res, records)
}

// sameDirection says whether a direct comparison shows the direction of a step.
func sameDirection(s chains.Step, v series.Value) bool {
	return s.Ratio > 1 && v.Low > 1 || s.Ratio < 1 && v.High < 1 && v.High > 0
}

// plantedStep is the step of the library's first benchmark at the commit of a planted slow-down; nil if there is none.
func plantedStep(h *chains.History, l library, p plant, at map[string]int) *chains.Step {
	for _, line := range h.Lines {
		if line.Measure != measure.OperationTime.Key || !strings.Contains(line.Name, "."+l.benchmarks[0]) {
			continue
		}
		for i, s := range line.Steps {
			if s.Ratio > 1 && at[s.Commit.Hash] == p.from {
				return &line.Steps[i]
			}
		}
	}
	return nil
}

// ofDistant holds the values of a chain at distant commits against direct comparisons with the first commit.
func ofDistant(within *bed.Share, records []record, l library, line chains.Line, at map[string]int) {
	for _, place := range line.Places {
		d := direct(records, l.repo, at[place.Commit.Hash], 0, "")
		if d == nil || place.Value == nil || place.Segment > 0 {
			continue
		}
		if v := d.value(line.Name, line.Measure); v != nil {
			within.Add(v.Low <= place.Value.High && place.Value.Low <= v.High)
		}
	}
}

// thresholds are those of github-action-benchmark: a value over so much of the one before is an alarm.
var thresholds = []float64{1.10, 1.50}

// single tells the single runs as github-action-benchmark does. An alarm is right where a slow-down
// is planted, or where hone's comparison of both commits shows one.
func single(res *bed.Result, records []record) {
	t := res.Table("Single runs, as github-action-benchmark tells them", "threshold", "comparisons", "alarms", "right",
		"false", "planted found")
	for _, threshold := range thresholds {
		compared, alarms, right, planted := 0, 0, 0, bed.Share{}
		for _, l := range libraries {
			var before map[string]float64
			for _, r := range records {
				if r.Repo != l.repo || r.Single == nil {
					continue
				}
				for _, name := range slices.Sorted(maps.Keys(r.Single)) {
					if before[name] == 0 {
						continue
					}
					compared++
					alarm := r.Single[name] > threshold*before[name]
					here := strings.HasPrefix(name, l.benchmarks[0]) &&
						slices.ContainsFunc(plants, func(p plant) bool { return p.from == r.Commit })
					if here {
						planted.Add(alarm)
					}
					if alarm {
						alarms++
						if here || r.slower(name) {
							right++
						}
					}
				}
				before = r.Single
			}
		}
		t.Row(fmt.Sprintf("%.0f %%", 100*threshold), fmt.Sprint(compared), fmt.Sprint(alarms), fmt.Sprint(right),
			fmt.Sprint(alarms-right), planted.String())
		res.Claim(fmt.Sprintf("single runs of the same commits, threshold %.0f %%", 100*threshold),
			"%d alarms, %d of them false; planted found %s", alarms, alarms-right, planted)
	}
}

// slower says whether the comparison with the commit before shows that a benchmark, as testing names it, got slower.
func (r record) slower(name string) bool {
	name, _, _ = strings.Cut(name, "-")
	for _, p := range r.Points {
		for _, v := range p.Values {
			if !p.Anchor && v.Measure == measure.OperationTime.Key && v.Low > 1 && strings.HasSuffix(v.Name, "."+name) {
				return true
			}
		}
	}
	return false
}
