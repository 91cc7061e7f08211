package disturbed

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/internal/insight/facts"
)

// The goals.
const (
	rightGoal  = 0.95
	silentGoal = 1.0
)

// write makes the result of the records of the runs.
func write(r *bed.Result, all map[task]record, todo []task) {
	l, err := readLines(file)
	if err != nil {
		r.Table("Not judged").Say("%v", err)
		return
	}
	var judged []judgement
	for _, t := range todo {
		if one := all[t]; one.counts() {
			judged = append(judged, judgeRun(t, *one.Said, l))
		}
	}
	writeGoals(r, judged)
	writeCauses(r, all, todo, judged)
	writeMisses(r, all, judged)
	writeRuns(r, all, judged)
	writeAside(r, all, todo)
}

func writeGoals(r *bed.Result, judged []judgement) {
	var right, first, finding, silent, tail bed.Share
	for _, j := range judged {
		if j.Cause == nothing {
			silent.Add(j.Right)
			tail.Add(j.Said == "")
			continue
		}
		right.Add(j.Right)
		first.Add(j.Said == j.Cause)
		finding.Add(j.Found == j.Cause)
	}
	r.Goal("disturbed services: what disturbs is named first", right, bed.AtLeast, rightGoal)
	r.Goal("clean runs: no finding of what would disturb", silent, bed.AtLeast, silentGoal)
	if right.N > 0 {
		r.Claim("disturbed services, each view alone",
			"the first cause of the tail %s, the first finding about time %s", first, finding)
	}
	if silent.N > 0 {
		r.Claim("clean runs", "the first cause of the tail is none of what would disturb in %s", tail)
	}
}

func writeCauses(r *bed.Result, all map[task]record, todo []task, judged []judgement) {
	t := r.Table("Causes", "injected", "runs", "right", "first of the tail", "first finding", "put aside")
	for _, c := range causes {
		var n, right, first, finding, aside int
		for _, j := range judged {
			if j.Cause != c {
				continue
			}
			n++
			right += count(j.Right)
			first += count(j.Said == c || c == nothing && j.Said == "")
			finding += count(j.Found == c || c == nothing && j.Found == "")
		}
		for _, one := range todo {
			aside += count(one.Cause == c && all[one].aside() != "" && !all[one].counts())
		}
		t.Row(string(c), fmt.Sprint(n), fmt.Sprint(right), fmt.Sprint(first), fmt.Sprint(finding), fmt.Sprint(aside))
	}
	t.Say("Where nothing is injected, right is a run without a finding of what would disturb.")
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// writeMisses shows what hone said where it was not right.
func writeMisses(r *bed.Result, all map[task]record, judged []judgement) {
	for _, j := range judged {
		if j.Right {
			continue
		}
		t := r.Table(fmt.Sprintf("Not right: run %d, %v", j.N, j.task))
		said := all[j.task].Said
		for _, c := range said.Causes {
			t.Row(fmt.Sprintf("tail: %.0f %% %s", 100*c.Share, facts.PartText(c.Label)))
		}
		if len(said.Causes)+len(said.Findings) == 0 {
			t.Row("nothing is said")
		}
		for _, f := range said.Findings {
			t.Row(fmt.Sprintf("finding: %s: %s (%.0f %% of %s)", f.Rule, f.Title, 100*f.Cost, f.Measure))
		}
	}
}

func writeRuns(r *bed.Result, all map[task]record, judged []judgement) {
	t := r.Table("Runs", "run", "injected", "right", "first of the tail", "p50", "p99", "others, %",
		"steal, %", "waited, %")
	for _, j := range judged {
		one := all[j.task]
		first := "nothing"
		if said := one.Said.Causes; len(said) > 0 {
			first = fmt.Sprintf("%.0f %% %s", 100*said[0].Share, facts.PartText(said[0].Label))
		} else if one.Said.Untraced {
			first = "no trace"
		}
		t.Row(fmt.Sprint(j.N), j.task.String(), bed.Yes(j.Right), first,
			duration(one.Said.P50), duration(one.Said.P99), percent(one.Machine.Others), percent(one.Machine.Steal),
			percent(one.Injected.Waited))
	}
}

func percent(share float64) string { return fmt.Sprintf("%.1f", 100*share) }

func duration(nanos float64) string {
	return time.Duration(nanos).Round(10 * time.Microsecond).String()
}

// writeAside counts and names what is not judged, with the reason.
func writeAside(r *bed.Result, all map[task]record, todo []task) {
	t := r.Table("Put aside", "run", "injected", "reason")
	n, taken := 0, 0
	for _, one := range todo {
		its, ok := all[one]
		if !ok {
			continue
		}
		taken++
		reason, _, _ := strings.Cut(cmp.Or(its.aside(), its.Failed), "\n")
		if reason != "" && !its.counts() {
			n++
			t.Row(fmt.Sprint(one.N), one.String(), reason)
		}
	}
	t.Say("%d of %d runs are put aside; %d of %d are not taken yet.", n, taken, len(todo)-taken, len(todo))
}
