package noop

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/honecli"
	"github.com/gohone/hone/judge"
)

// The goals that the results are held against.
const (
	mostAlarms = 1
	upperGoal  = 0.01
	secondsFor = 0.05 // the slow-down that is to be found in secondsGoal
)

const secondsGoal = 25 * time.Second

// foundGoals are by the planted slow-down.
var foundGoals = map[float64]float64{0.03: 0.90, 0.05: 0.97}

// document makes the result of the records.
func document(res *bed.Result, records []record) {
	noOps := filter(records, func(r record) bool { return r.Said != nil && r.Planted == 0 })
	if now := filter(noOps, leavesOut); len(now) > 0 {
		older(res, filter(noOps, func(r record) bool { return !leavesOut(r) }))
		noOps = now
		decided(res, noOps)
	}
	goals(res, noOps)
	for _, size := range plants {
		found(res, size, filter(records, func(r record) bool { return r.Said != nil && r.Planted == size }))
	}
	classic(res, noOps)
	kinds(res, noOps)
	repositories(res, noOps, records)
	alarms(res, noOps)
}

func filter(records []record, is func(record) bool) (some []record) {
	for _, r := range records {
		if is(r) {
			some = append(some, r)
		}
	}
	return some
}

// share is that of the records with a property.
func share(records []record, is func(record) bool) (s bed.Share) {
	for _, r := range records {
		s.Add(is(r))
	}
	return s
}

func leavesOut(r record) bool { return r.LeavesOut }
func alarm(r record) bool     { return r.Said.Alarm() }
func anyAlarm(r record) bool  { return len(r.Said.Different) > 0 }
func first(r record) bool     { return r.Said.First == judge.Faster || r.Said.First == judge.Slower }
func moved(r record) bool     { return r.OtherText }
func undecided(r record) bool { return r.Said.Word == judge.Undecided }
func same(r record) bool      { return r.Said.Word == judge.Same }
func invalid(r record) bool   { return r.Said.Word == judge.Invalid }
func noChange(r record) bool  { return r.Said.Word == judge.NoChange }

// unmeasured says why hone measured nothing.
func unmeasured(why string) func(record) bool {
	return func(r record) bool { return r.Said.Unmeasured == why }
}

// The goals of what is decided.
const (
	undecidedGoal = 0.05
	boundGoal     = 0.90
	boundOf       = 0.02
)

func bounded(r record) bool { return r.Said.Bound() <= boundOf }

// decided holds what is known at the end of a comparison against what was promised.
func decided(res *bed.Result, noOps []record) {
	res.Goal("hone on commits that change nothing: undecided", share(noOps, undecided), bed.AtMost, undecidedGoal)
	res.Goal("hone on commits that change nothing: a change of more than 2 % is excluded", share(noOps, bounded),
		bed.AtLeast, boundGoal)
	same, more := share(noOps, unmeasured(honecli.SameCode)), share(noOps, unmeasured(honecli.NotExecuted))
	measured := filter(noOps, unmeasured(""))
	res.Claim("of these commits needed no measurement, because the code is the same", "%s", same)
	res.Claim("and because nothing that differs is executed", "%s", more)
	res.Claim("of those that were measured", "undecided %s; more than 2 %% excluded %s", share(measured, undecided),
		share(measured, bounded))
}

// older has the commits that were measured whatever they execute.
func older(res *bed.Result, noOps []record) {
	if len(noOps) > 0 {
		res.Claim("earlier commits, all measured", "alarms %s, undecided %s", share(noOps, alarm), share(noOps, undecided))
	}
}

// goals holds the alarms against what was promised.
func goals(res *bed.Result, noOps []record) {
	if len(noOps) == 0 {
		return
	}
	repos := map[string]bool{}
	for _, r := range noOps {
		repos[r.Repo] = true
	}
	libraries := filter(noOps, byBoth)
	for _, x := range []struct {
		what string
		is   func(record) bool
	}{{"false alarms of the deciding measure", alarm}, {"false alarms of any measure, function or gate", anyAlarm}} {
		s := share(noOps, x.is)
		c := res.Claim("hone on commits that change nothing, 15 to 30 s each: "+x.what, "%d of %d, 95 %% upper limit %.2f %%",
			s.Of, s.N, 100*s.Upper()).
			Want(fmt.Sprintf("at most %d, limit at most %g %%", mostAlarms, 100*upperGoal),
				s.Of <= mostAlarms && s.Upper() <= upperGoal)
		if len(libraries) > 0 {
			c.Against("benchstat %s", share(libraries, classicAlarm))
		}
	}
	text := share(noOps, moved)
	res.Claim("of these commits",
		"%d repositories; the machine code differs in %d of %d; the first stage called %d different, of which %d were taken back",
		len(repos), text.Of, text.N, share(noOps, first).Of,
		share(noOps, func(r record) bool { return first(r) && !alarm(r) }).Of)
}

// found holds the planted slow-downs of one size against their goals. B is the slow side.
func found(res *bed.Result, size float64, planted []record) {
	hit := filter(planted, func(r record) bool { return r.Said.Word == judge.Slower && r.Said.Confirmed })
	res.Goal(fmt.Sprintf("hone: planted %g %% found, 15 to 30 s each", 100*size),
		bed.Share{Of: len(hit), N: len(planted)}, bed.AtLeast, foundGoals[size])
	if len(hit) == 0 {
		return
	}
	took := figures.Column(hit, func(r record) float64 { return r.Said.Seconds })
	c := res.Claim(fmt.Sprintf("hone: time to the confirmed verdict on %g %%", 100*size), "%s s; estimate %s",
		figures.Spread("%.1f", took),
		figures.Spread("%.3f", figures.Column(hit, func(r record) float64 { return r.Said.Ratio })))
	if size == secondsFor {
		c.Want(fmt.Sprintf("%.0f s at most", secondsGoal.Seconds()), figures.Median(took) <= secondsGoal.Seconds())
	}
}

// byBoth says that benchstat had the same commit, of a library, for the same time.
func byBoth(r record) bool { return r.Classic != nil }

// classicAlarm says that benchstat called it different.
func classicAlarm(r record) bool { return r.Classic.P <= figures.RankLevel }

// classic has benchstat's alarms.
func classic(res *bed.Result, noOps []record) {
	libraries := filter(noOps, byBoth)
	if len(libraries) == 0 {
		return
	}
	other := filter(libraries, moved)
	res.Claim("benchstat on the same commits of libraries, in the same time: false alarms",
		"%s; where the machine code differs %s", share(libraries, classicAlarm), share(other, classicAlarm))
}

// kinds has a row for each kind of commits.
func kinds(res *bed.Result, noOps []record) {
	t := res.Table("Kinds of commits", "kind", "what", "n", "other text", "alarms", "same", "no change", "undecided", "invalid",
		"half-width, %", "seconds")
	for _, service := range []bool{false, true} {
		for _, k := range corpus.Kinds {
			some := filter(noOps, func(r record) bool { return r.Kind == k && r.service() == service })
			if len(some) == 0 {
				continue
			}
			t.Row(string(k), map[bool]string{false: "libraries", true: "services"}[service], fmt.Sprint(len(some)),
				fmt.Sprint(share(some, moved).Of), fmt.Sprint(share(some, alarm).Of),
				fmt.Sprint(share(some, same).Of), fmt.Sprint(share(some, noChange).Of), fmt.Sprint(share(some, undecided).Of),
				fmt.Sprint(share(some, invalid).Of),
				halves(some), figures.Spread("%.1f",
					figures.Column(some, func(r record) float64 { return r.Said.Seconds })))
		}
	}
	t.Say("other text: the machine code of both programs differs, addresses included. Undecided counts benchmarks that hone refuses because they differ themselves.")
}

// halves are the half-widths of the intervals.
func halves(records []record) string {
	bounded := filter(records, func(r record) bool { return r.Said.High > 0 })
	return figures.Spread("%.2f", figures.Column(bounded,
		func(r record) float64 { return 50 * (r.Said.High - r.Said.Low) }))
}

// repositories has a row for each.
func repositories(res *bed.Result, noOps, records []record) {
	t := res.Table("Repositories", "repository", "commits", "alarms", "of any measure", "benchstat", "half-width, %",
		"3 % found", "5 % found", "iterations for 5 %")
	names := map[string]bool{}
	for _, r := range records {
		if r.Said != nil {
			names[r.Repo] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		some := filter(noOps, func(r record) bool { return r.Repo == name })
		cells := []string{name, fmt.Sprint(len(some)), fmt.Sprint(share(some, alarm).Of),
			fmt.Sprint(share(some, anyAlarm).Of),
			fmt.Sprint(share(some, func(r record) bool {
				return r.Classic != nil && r.Classic.P <= figures.RankLevel
			}).Of), halves(some)}
		var iterations []float64
		for _, size := range plants {
			planted := filter(records, func(r record) bool {
				return r.Said != nil && r.Repo == name && r.Planted == size
			})
			hit := share(planted, func(r record) bool { return r.Said.Word == judge.Slower && r.Said.Confirmed })
			cells = append(cells, fmt.Sprintf("%d of %d", hit.Of, hit.N))
			iterations = figures.Column(planted, func(r record) float64 { return float64(r.Iterations) })
		}
		t.Row(append(cells, figures.Spread("%.0f", iterations))...)
	}
}

// alarms has a row for each comparison in which anything was called different, at either stage.
func alarms(res *bed.Result, noOps []record) {
	t := res.Table("Alarms", "commit", "kind", "first stage", "verdict", "taken back", "different at first",
		"different", "B over A", "other text", "seconds")
	for _, r := range noOps {
		if !first(r) && !anyAlarm(r) && len(r.Said.FirstDifferent) == 0 {
			continue
		}
		t.Row(r.Repo+" "+r.Commit, string(r.Kind), string(r.Said.First), string(r.Said.Word), r.Said.TakenBack,
			strings.Join(r.Said.FirstDifferent, ", "), strings.Join(r.Said.Different, ", "),
			fmt.Sprintf("%.4f (%.4f ... %.4f)", r.Said.Ratio, r.Said.Low, r.Said.High), fmt.Sprint(r.OtherText),
			fmt.Sprintf("%.0f", r.Said.Seconds))
	}
}
