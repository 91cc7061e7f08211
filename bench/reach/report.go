package reach

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
)

// The goals that the results are held against.
const (
	rightGoal   = 0.98
	plantedGoal = 0.98
)

// document makes the result of the records. Of a commit that was taken again the last record counts.
func document(res *bed.Result, records []record) {
	of := bed.Last(records, func(r record) (string, bool) { return r.key(), r.key() != "" })
	var commits, planted []record
	for _, r := range records { // in their order
		if last, ok := of[r.key()]; ok && last.At.Equal(r.At) && r.LeftOut == "" {
			if r.Planted != nil {
				planted = append(planted, r)
			} else {
				commits = append(commits, r)
			}
		}
	}
	ofCommits(res, commits)
	ofBenchmarks(res, commits)
	ofServices(res, planted)
}

// key tells the trials apart; "" is none.
func (r record) key() string {
	if r.Planted != nil {
		return strings.Join([]string{r.Repo, r.Commit, r.Planted.Function, fmt.Sprint(r.Planted.Executed)}, " ")
	}
	if r.Commit == "" {
		return ""
	}
	return r.Repo + " " + r.Commit
}

// ofCommits has what hone reach says of public commits.
func ofCommits(res *bed.Result, commits []record) {
	if len(commits) == 0 {
		return
	}
	var right bed.Share
	functions, missed, extra, doubt, alike, hidden := 0, 0, 0, 0, 0, 0
	repos := map[string]bool{}
	t := res.Table("Disagreements", "commit", "function", "place", "missed by hone", "said by hone alone")
	for _, r := range commits {
		if isRight := r.Refused == "" && len(r.missed())+len(r.extra()) == 0; isRight && r.hides() {
			hidden++ // all that hone does not list is in doubt, so it could not be wrong
		} else {
			right.Add(isRight)
		}
		repos[r.Repo] = true
		if r.Refused != "" {
			t.Row(r.Repo+" "+r.Commit, "-", "-", "no table: "+r.Refused, "")
		}
		functions += len(r.Functions)
		for _, f := range r.Functions {
			if f.Doubt != "" {
				doubt++
			}
			if f.SameCode {
				alike++
			}
			if len(f.Missed) > 0 {
				missed++
			}
			if len(f.Extra) > 0 {
				extra++
			}
			if len(f.Missed)+len(f.Extra) > 0 {
				t.Row(r.Repo+" "+r.Commit, f.Name, f.Place, strings.Join(f.Missed, ", "), strings.Join(f.Extra, ", "))
			}
		}
	}
	res.Goal("hone reach on public commits with changed functions: all of a commit right", right, bed.AtLeast, rightGoal)
	res.Claim("hone reach: commits where something differs that belongs to no function, so that it is in doubt of all that "+
		"it does not list", "%d of %d; they are not counted as right", hidden, len(commits))
	res.Claim("hone reach: functions that a test, a benchmark or the start executes, which it does not say",
		"%d of %d", missed, functions).Want("none", missed == 0)
	res.Claim("hone reach: functions of which it says more than the counters", "%d of %d", extra, functions)
	res.Claim("of these commits", "%d repositories; %d functions in doubt, %d compiled to the same code; %s s each",
		len(repos), doubt, alike, figures.Spread("%.0f", figures.Column(commits,
			func(r record) float64 { return r.Seconds })))
	t.Say("What differs is read from the tokens of both sides; what is executed, from counters in the source.")
}

// ofBenchmarks has what hone bench leaves out of the same commits.
func ofBenchmarks(res *bed.Result, commits []record) {
	t := res.Table("Benchmarks that hone bench leaves out", "commit", "measured", "same code", "not executed", "wrong",
		"seconds")
	var wrong bed.Share
	same, none, refused := 0, 0, 0
	for _, r := range commits {
		b := r.Bench
		if b == nil {
			continue
		}
		if b.Refused != "" {
			refused++
			t.Row(r.Repo+" "+r.Commit, b.Refused, "", "", "", "")
			continue
		}
		same, none = same+b.SameCode, none+b.NotExecuted
		wrong.Of, wrong.N = wrong.Of+len(b.Missed), wrong.N+b.SameCode+b.NotExecuted
		t.Row(r.Repo+" "+r.Commit, fmt.Sprint(b.Measured), fmt.Sprint(b.SameCode), fmt.Sprint(b.NotExecuted),
			strings.Join(b.Missed, ", "), fmt.Sprintf("%.0f", b.Seconds))
	}
	if wrong.N+refused == 0 {
		return
	}
	res.Goal("hone bench: benchmarks that it does not measure, and that execute what differs", wrong, bed.AtMost, 0)
	res.Claim("hone bench: benchmarks that it does not measure", "%d of the same code, %d that execute nothing that "+
		"differs; %d commits refused", same, none, refused)
}

// ofServices has what hone compare says of planted slow-downs.
func ofServices(res *bed.Result, planted []record) {
	if len(planted) == 0 {
		return
	}
	var right [2]bed.Share
	t := res.Table("Planted slow-downs in services", "service", "function", "a load", "hone says", "its words")
	for _, r := range planted {
		p := r.Planted
		i := 0
		if p.Executed {
			i = 1
		}
		right[i].Add(p.right())
		t.Row(r.Repo, p.Function, map[bool]string{true: "executes it", false: "does not"}[p.Executed], string(p.Says),
			p.Words)
	}
	res.Goal("hone compare on slow-downs in functions that a load executes: says so", right[1], bed.AtLeast, 1)
	res.Goal("hone compare on slow-downs in functions that a load does not execute: says so", right[0], bed.AtLeast,
		plantedGoal)
}
