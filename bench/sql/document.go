package sql

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/bench/bed"
)

// The goals. A false statement sends its reader to a statement that is fine.
const (
	namedGoal = 0.9
	falseGoal = 0.0
)

// write makes the result of the latest record of each trial.
func (c config) write(r *bed.Result, records map[key]record, all []*service) {
	for _, half := range []string{bed.HalfOpen, bed.HalfClosed} {
		var judged []judgement
		for _, t := range tasks(all, nil) {
			if j, ok := judgeTrial(t, records[t.key()]); ok && t.half() == half {
				judged = append(judged, j)
			}
		}
		writeGoals(r, half, judged)
		if half == bed.HalfOpen || c.closed {
			writeTable(r, half, judged)
		}
	}
	writeMissing(r, records, all)
}

func writeGoals(r *bed.Result, half string, judged []judgement) {
	named, wrong := map[kind]*bed.Share{}, map[string]*bed.Share{}
	var all, kindOnly, tail bed.Share
	for _, k := range kinds {
		named[k] = new(bed.Share)
	}
	for _, what := range []string{"defects", "fixed", "decoys"} {
		wrong[what] = new(bed.Share)
	}
	for _, j := range judged {
		if j.defect() {
			all.Add(j.Named)
			kindOnly.Add(j.Kind)
			named[j.kind].Add(j.Named)
			if j.Tail != nil {
				tail.Add(*j.Tail)
			}
		}
		wrong[j.what()].Add(len(j.False) > 0)
	}
	goal := func(what string, s bed.Share, bound bed.Bound, limit float64) {
		r.Goal(fmt.Sprintf("`hone advise`, %s half of the services with a database: %s", half, what), s, bound, limit)
	}
	goal("the defect is named, kind, statement and line", all, bed.AtLeast, namedGoal)
	goal("its kind is named", kindOnly, bed.AtLeast, namedGoal)
	goal("services with a defect of which something else is said", *wrong["defects"], bed.AtMost, falseGoal)
	goal("fixed services of which something is said", *wrong["fixed"], bed.AtMost, falseGoal)
	goal("decoys of which something is said", *wrong["decoys"], bed.AtMost, falseGoal)
	r.Goal(fmt.Sprintf("`hone tail`, %s half of the services with a database: the statement of the defect takes most", half), tail, bed.AtLeast, namedGoal)
	if all.N > 0 {
		t := r.Table("Named by kind, "+half+" half", "kind", "named")
		for _, k := range kinds[:4] {
			t.Row(string(k), named[k].String())
		}
	}
}

// what is the sort of a trial.
func (t task) what() string {
	switch {
	case t.kind == decoy:
		return "decoys"
	case t.Fixed:
		return "fixed"
	}
	return "defects"
}

func writeTable(r *bed.Result, half string, judged []judgement) {
	t := r.Table("Trials of the "+half+" half", "service", "database", "trial", "kind", "statement", "line", "named", "tail", "false")
	yes := func(j judgement, is bool) string {
		if !j.defect() {
			return "-"
		}
		return bed.Yes(is)
	}
	for _, j := range judged {
		wrong := make([]string, len(j.False))
		for i, s := range j.False {
			wrong[i] = s.String()
		}
		trial := string(j.kind)
		if j.Fixed {
			trial += ", fixed"
		}
		t.Row(j.Name, string(j.Database), trial, yes(j, j.Kind), yes(j, j.Statement), yes(j, j.Line), yes(j, j.Named), most(j), strings.Join(wrong, " | "))
	}
}

// most says whether the statement of the defect is the first of hone tail's.
func most(j judgement) string {
	if j.Tail == nil {
		return "-"
	}
	return bed.Yes(*j.Tail)
}

// writeMissing names what has no result, with the reason.
func writeMissing(r *bed.Result, records map[key]record, all []*service) {
	t := r.Table("Without a result", "trial", "reason")
	skipped, why := 0, ""
	for _, one := range tasks(all, nil) {
		of := records[one.key()]
		if of.Missing != "" {
			skipped, why = skipped+1, of.Missing
		}
		if of.Failed != "" {
			first, _, _ := strings.Cut(of.Failed, "\n")
			t.Row(one.String(), first)
		}
	}
	if skipped > 0 {
		t.Say("%d trials with %s were left out: %s.", skipped, postgres, why)
	}
}
