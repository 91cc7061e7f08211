package bisect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
)

// The goals that the results are held against.
const (
	minutesGoal = 10 // for 1,000 commits
	probesGoal  = 14
)

// groups are the searches that have a goal of their own.
var groups = []struct {
	what string
	goal float64
	is   func(draw) bool
}{
	{"slower by 5 % and more", 0.95, func(d draw) bool { return d.Measure != "allocs" && d.Size >= 0.05 }},
	{"slower by 2 to 5 %", 0.90, func(d draw) bool { return d.Measure != "allocs" && d.Size > 0 && d.Size < 0.05 }},
	{"allocations", 0.95, func(d draw) bool { return d.Measure == "allocs" && d.Size > 0 }},
	{"nothing planted, and nothing is what it says", 1, func(d draw) bool { return d.Size == 0 }},
}

// document makes the result of the records.
func document(res *bed.Result, records []record) {
	searches := filter(records, func(r record) bool { return r.Answer != nil })
	for _, g := range groups {
		some := filter(searches, func(r record) bool { return g.is(*r.Draw) })
		res.Goal("hone bisect, the planted commit found: "+g.what, share(some), bed.AtLeast, g.goal)
	}
	costs(res, filter(searches, planted))
	kinds(res, searches)
	table(res, records, searches)
	answers(res, searches)
}

func filter(records []record, is func(record) bool) (some []record) {
	for _, r := range records {
		if is(r) {
			some = append(some, r)
		}
	}
	return some
}

func planted(r record) bool { return r.Draw.Size > 0 }

// share is that of the right answers.
func share(records []record) (s bed.Share) {
	for _, r := range records {
		s.Add(r.Answer.Right)
	}
	return s
}

func minutes(records []record) []float64 {
	return figures.Column(records, func(r record) float64 { return r.Answer.Seconds / 60 })
}

func probes(records []record) []float64 {
	return figures.Column(records, func(r record) float64 { return float64(r.Answer.Probes) })
}

func commits(records []record) []float64 {
	return figures.Column(records, func(r record) float64 { return float64(r.Draw.Commits) })
}

// costs holds the time and the probes of searches in long histories against their goals.
func costs(res *bed.Result, searches []record) {
	searches = filter(searches, func(r record) bool { return r.Draw.Commits >= enough-1 })
	if len(searches) == 0 {
		return
	}
	took, asked := minutes(searches), probes(searches)
	res.Claim("hone bisect: time of a search with something planted, of 200 commits and more", "%s min among %s commits, n = %d",
		figures.Spread("%.1f", took), figures.Spread("%.0f", commits(searches)), len(searches)).
		Want(fmt.Sprintf("%d min at most for 1,000 commits", minutesGoal), figures.Median(took) <= minutesGoal)
	res.Claim("hone bisect: probes of a search with something planted, of 200 commits and more", "%s, n = %d",
		figures.Spread("%.0f", asked), len(searches)).
		Want(fmt.Sprintf("%d at most, as a median", probesGoal), figures.Median(asked) <= probesGoal)
}

// kinds has a row for each kind of histories.
func kinds(res *bed.Result, searches []record) {
	if len(searches) == 0 {
		return
	}
	t := res.Table("Kinds of histories", "what is planted", "n", "right", "confirmed", "probes", "minutes")
	for _, k := range []struct {
		what string
		is   func(draw) bool
	}{
		{"one change", func(d draw) bool { return d.Size > 0 && d.Second == 0 }},
		{"a second one that makes it slower, too", func(d draw) bool { return d.Second > 0 }},
		{"a second one that takes a part back", func(d draw) bool { return d.Second < 0 }},
		{"nothing", func(d draw) bool { return d.Size == 0 }},
		{"commits that do not build", func(d draw) bool { return d.Broken > 0 }},
	} {
		some := filter(searches, func(r record) bool { return k.is(*r.Draw) })
		if len(some) > 0 {
			t.Row(k.what, fmt.Sprint(len(some)), share(some).String(), fmt.Sprint(len(filter(some, confirmed))), figures.Spread("%.0f", probes(some)), figures.Spread("%.1f", minutes(some)))
		}
	}
	t.Say("Histories with commits that do not build are in the rows of what is planted in them, too.")
}

func confirmed(r record) bool { return r.Answer.Confirmed }

// table has a row for each repository.
func table(res *bed.Result, records, searches []record) {
	t := res.Table("Repositories", "repository", "commits", "their ends", "n", "right", "change nothing that is built", "probes", "minutes", "minutes without probes")
	names := map[string]bool{}
	for _, r := range records {
		if r.Repo != "" {
			names[r.Repo] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		w := windowOf(records, name)
		if w == nil || w.Reason != "" {
			t.Row(name, w.reason())
			continue
		}
		some := filter(searches, func(r record) bool { return r.Repo == name })
		found := filter(some, planted)
		t.Row(name, fmt.Sprint(w.Commits), fmt.Sprintf("%+.2f %%", 100*(w.Said.Ratio-1)), fmt.Sprint(len(some)), share(some).String(),
			figures.Spread("%.0f", figures.Column(found, func(r record) float64 { return float64(r.Answer.Quiet) })),
			figures.Spread("%.0f", probes(found)), figures.Spread("%.1f", minutes(found)),
			figures.Spread("%.1f", figures.Column(found, func(r record) float64 { return (r.Answer.Seconds - r.Answer.Probing) / 60 })))
	}
	t.Say("commits: the length of the history, which is that of the longest part of the repository's whose ends differ by 1 %% at most, up to 1,000. Probes and minutes are of searches with something planted; without probes: the comparison of the ends, the confirmation, and what lies between.")
}

func (w *window) reason() string {
	if w == nil {
		return "-"
	}
	return w.Reason
}

// answers has a row for each search that was not right.
func answers(res *bed.Result, searches []record) {
	wrong := filter(searches, func(r record) bool { return !r.Answer.Right })
	if len(wrong) == 0 {
		return
	}
	t := res.Table("Wrong answers", "search", "planted", "answer", "places", "step", "ends", "probes", "minutes", "reason")
	for _, r := range wrong {
		a := r.Answer
		reason, _, _ := strings.Cut(a.Reason, "\n")
		t.Row(fmt.Sprintf("%s seed %d i %d", r.Repo, r.Draw.Seed, r.Draw.I), r.Draw.String(), a.Stopped, strings.Trim(fmt.Sprint(a.Places), "[]"),
			fmt.Sprintf("%.4f (%.4f ... %.4f)", a.Ratio, a.Low, a.High), fmt.Sprintf("%.4f", a.Whole), fmt.Sprint(a.Probes), fmt.Sprintf("%.1f", a.Seconds/60), reason)
	}
}
