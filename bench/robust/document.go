package robust

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/internal/text/units"
)

// document makes the result of the records; nothing else goes into it. A failure is what hone did wrong, never a trial
// that could not be carried out: those are left out and taken again.
func document(r *bed.Result, records []record, known []explanation) {
	t := r.Table("All kinds", columns...)
	for _, k := range kinds {
		row(t, k.Name, of(records, k))
		if own := tallyOf(of(records, k)); own.trials > 0 {
			r.Goal("what hone does wrong: "+k.Name, bed.Share{Of: own.failed, N: own.trials}, bed.AtMost, 0)
		}
	}
	for _, k := range kinds {
		section(r, k, of(records, k), known)
	}
}

var columns = []string{"what", "trials", "hit", "failed", "time"}

func row(table *bed.Table, name string, own []record) {
	t := tallyOf(own)
	table.Row(name, fmt.Sprint(t.trials), t.hits(), t.share(), t.time())
}

// section is what one kind did, what counts, its trials by what they were, and each failure.
func section(r *bed.Result, k *kind, own []record, known []explanation) {
	t := r.Table(k.Name, columns...)
	t.Say("%s\nCounted as a failure: %s", k.Does, k.Fails)
	if len(own) == 0 {
		t.Say("Not tried yet.")
		return
	}
	groups := byWhat(own)
	for _, what := range slices.Sorted(maps.Keys(groups)) {
		row(t, what, groups[what])
		if k == fuzzing {
			g := tallyOf(groups[what])
			t.Rows[len(t.Rows)-1] = append(t.Rows[len(t.Rows)-1], units.Count(g.executions)+" executions",
				units.Count(uint64(float64(g.executions)/max(g.seconds, 1)))+"/s")
		}
	}
	if k == fuzzing {
		t.Say("%s executions of %d targets in all.", units.Count(tallyOf(own).executions), len(groups))
	}
	failures(t, k, own, known)
}

// failures lists each failure, and what is known about it.
func failures(t *bed.Table, k *kind, own []record, known []explanation) {
	any := false
	for _, r := range own {
		for _, f := range r.Outcome.Failures {
			any = true
			why := "NOT EXPLAINED"
			if e := explanationOf(known, k.Name, *r.Outcome, f); e != nil {
				why = e.Why
			}
			t.Say("- %d (%s): %s. %s", r.Number, strings.TrimSuffix(r.Outcome.What+", "+r.Outcome.Point, ", "), f, why)
		}
	}
	if !any {
		t.Say("No failures.")
	}
}
