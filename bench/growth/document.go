package growth

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/growth/leaks"
)

// The goals. A false statement sends its reader after a leak that is not there.
const (
	foundGoal = 0.9
	falseGoal = 0.0
)

// write makes the result of the latest record of each trial.
func (c config) write(r *bed.Result, all map[key]record, halfOf map[string]string) {
	for _, half := range []string{bed.HalfOpen, bed.HalfClosed} {
		var judged []judgement
		for _, t := range tasks(leaks.All) {
			if j, ok := judgeTrial(t, all[key{t.Name, t.trial}]); ok && halfOf[t.Name] == half {
				judged = append(judged, j)
			}
		}
		writeGoals(r, half, judged)
		if half == bed.HalfOpen || c.closed {
			writeTable(r, half, judged, all)
		}
	}
	writeMissing(r, all)
}

func writeGoals(r *bed.Result, half string, judged []judgement) {
	found, wrong, times := map[trial]*bed.Share{}, map[trial]*bed.Share{}, []time.Duration(nil)
	for _, t := range []trial{leak, equal, decoy, single} {
		found[t], wrong[t] = new(bed.Share), new(bed.Share)
	}
	for _, j := range judged {
		wrong[j.trial].Add(len(j.False) > 0)
		if len(j.keeps()) > 0 {
			found[j.trial].Add(j.Found)
		}
		if j.trial == leak && j.Found {
			times = append(times, j.Took)
		}
	}
	goal := func(command, what string, s *bed.Share, bound bed.Bound, limit float64) {
		r.Goal(fmt.Sprintf("`%s`, %s half of the kinds: %s", command, half, what), *s, bound, limit)
	}
	goal("hone compare", "it shows what B keeps, in the right measure", found[leak], bed.AtLeast, foundGoal)
	goal("hone compare", "of services that keep something, one with a false statement", wrong[leak], bed.AtMost, falseGoal)
	goal("hone compare", "equal services, one of which is said to keep something", wrong[equal], bed.AtMost, falseGoal)
	goal("hone compare", "decoys of which that is said", wrong[decoy], bed.AtMost, falseGoal)
	goal("hone run", "it says that the service grows", found[single], bed.AtLeast, foundGoal)
	goal("hone run", "runs with a false statement", wrong[single], bed.AtMost, falseGoal)
	if n := len(times); n > 0 {
		slices.Sort(times)
		r.Table("Times, "+half+" half").Say("What B keeps was shown after %s in the median of %d comparisons (%s ... %s), without builds.",
			seconds(times[n/2]), n, seconds(times[0]), seconds(times[n-1]))
	}
}

func writeTable(r *bed.Result, half string, judged []judgement, all map[key]record) {
	t := r.Table("Trials of the "+half+" half", "kind", "trial", "keeps", "found", "shown", "false", "time")
	for _, j := range judged {
		took := "-"
		if j.Took > 0 {
			took = seconds(j.Took)
		}
		t.Row(j.Name, string(j.trial), list(j.keeps()), j.foundText(), list(j.Shown), cmp.Or(strings.Join(j.False, "; "), "-"), took)
	}
	for _, j := range judged {
		if one := all[key{j.Name, j.trial}]; one.Failed == "" {
			t.Say("%v: %v", j.task, shown(one))
		}
	}
}

// shown is what hone said in a trial that a report may show.
func shown(r record) record {
	r.secret = false
	return r
}

func (j judgement) foundText() string {
	if len(j.keeps()) == 0 {
		return "-"
	}
	return bed.Yes(j.Found)
}

// list is measures as a table has them.
func list(all []leaks.Measure) string {
	words := make([]string, len(all))
	for i, m := range all {
		words[i] = string(m)
	}
	return cmp.Or(strings.Join(words, ", "), "nothing")
}

// writeMissing names what has no result, with the reason.
func writeMissing(r *bed.Result, all map[key]record) {
	t := r.Table("Without a result", "kind", "trial", "reason")
	for _, one := range tasks(leaks.All) {
		if reason := all[key{one.Name, one.trial}].Failed; reason != "" {
			first, _, _ := strings.Cut(reason, "\n")
			t.Row(one.Name, string(one.trial), first)
		}
	}
}
