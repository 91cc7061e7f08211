package account

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
)

// The goals: all accounts add up, and the largest part is named in 22 of 24.
const (
	addsGoal    = 1.0
	namedGoal   = 0.91 // 22 of 24
	collectGoal = 0.0
)

// write makes the result of the latest record of each program.
func (c config) write(r *bed.Result, records []record, programs []*program) {
	all := last(records)
	for _, half := range []string{bed.HalfOpen, bed.HalfClosed} {
		var judged []judgement
		for _, p := range programs {
			if one, ok := judge(p, all[p.Name]); ok && bed.Half(p.Closed) == half {
				judged = append(judged, one)
			}
		}
		writeGoals(r, half, judged)
		if half == bed.HalfOpen || c.closed {
			writeTable(r, half, judged)
		}
	}
	writeMissing(r, all)
}

func writeGoals(r *bed.Result, half string, judged []judgement) {
	var adds, named, collecting bed.Share
	var milliseconds []float64
	for _, j := range judged {
		adds.Add(j.AddsUp)
		named.Add(j.Named)
		if j.Answer != nil {
			collecting.Add(j.Collecting)
			milliseconds = append(milliseconds, float64(j.Truth.CPU.Microseconds())/1e3)
		}
	}
	claim := func(what string) string {
		return fmt.Sprintf("`hone profile memory`, %s half of the corpus: %s", half, what)
	}
	r.Goal(claim("the parts add up to the resident set, within 3 %"), adds, bed.AtLeast, addsGoal)
	r.Goal(claim("the largest part that can shrink is the planted one"), named, bed.AtLeast, namedGoal)
	r.Goal(claim("programs that collected while hone was asked"), collecting, bed.AtMost, collectGoal)
	if len(milliseconds) > 0 {
		r.Claim(claim("CPU time of the program for one account"), "%s ms", figures.Spread("%.1f", milliseconds))
	}
}

func writeTable(r *bed.Result, half string, judged []judgement) {
	t := r.Table("Programs of the "+half+" half; MB", "program", "planted", "bytes", "hone's bytes", "named", "largest",
		"its bytes", "resident", "sum off by", "not accounted", "adds up")
	percent := func(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }
	for _, j := range judged {
		t.Row(j.Name, j.kind, megabytes(j.bytes), megabytes(j.PlantedIs), bed.Yes(j.Named), cmp.Or(j.Largest.Name, "nothing"),
			megabytes(j.Largest.Bytes), megabytes(j.Truth.Before), percent(j.Off), percent(j.Open), bed.Yes(j.AddsUp))
	}
	for _, j := range judged {
		if len(j.Unknown) > 0 {
			t.Say("%s: parts of no kind: %s", j.Name, strings.Join(j.Unknown, ", "))
		}
		if j.Truth != nil && j.Answer != nil && j.Truth.After > j.Truth.Before*103/100 {
			t.Say("%s: its resident set grew from %s to %s MB meanwhile", j.Name, megabytes(j.Truth.Before),
				megabytes(j.Truth.After))
		}
	}
}

// writeMissing names what has no answer, with the reason.
func writeMissing(r *bed.Result, all map[string]record) {
	t := r.Table("Without an answer", "program", "reason")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if reason := cmp.Or(all[name].Skipped, all[name].Failed); reason != "" {
			first, _, _ := strings.Cut(reason, "\n")
			t.Row(name, first)
		}
	}
}
