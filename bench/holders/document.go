package holders

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// The goals. An answer that is wrong sends its reader to the wrong variable, and so does a decoy that is named.
const (
	namedGoal = 0.9
	nearGoal  = 0.9
	decoyGoal = 0.0
)

// write makes the result of the latest record of each program.
func (c config) write(r *bed.Result, records []record, programs []*program) {
	all := last(records)
	for _, half := range []string{bed.HalfOpen, bed.HalfClosed} {
		var judged []judgement
		for _, p := range programs {
			if one, ok := judge(p, all[key{p.Name, 0}]); ok && p.half() == half {
				judged = append(judged, one)
			}
		}
		writeGoals(r, half, judged)
		if half == bed.HalfOpen || c.closed {
			writeTable(r, half, judged)
		}
	}
	writeCosts(r, all)
	writeMissing(r, all)
}

func writeGoals(r *bed.Result, half string, judged []judgement) {
	var named, near, decoys, places bed.Share
	for _, j := range judged {
		if j.Decoy {
			decoys.Add(j.Named)
			continue
		}
		named.Add(j.Named)
		near.Add(j.Near)
		places.Add(j.Place)
	}
	claim := func(what string) string {
		return fmt.Sprintf("`hone profile holders`, %s half of the corpus: %s", half, what)
	}
	r.Goal(claim("the first holder is the right one"), named, bed.AtLeast, namedGoal)
	r.Goal(claim("it is the right one, and its bytes are within 5 % of what clearing frees"), near, bed.AtLeast, nearGoal)
	r.Goal(claim("decoys of which a holder is named"), decoys, bed.AtMost, decoyGoal)
	r.Table("Declarations, "+half+" half").Say("The first holder has the file and the line of a declaration of it: %v.", places)
}

func writeTable(r *bed.Result, half string, judged []judgement) {
	t := r.Table("Programs of the "+half+" half; MB", "program", "named", "said", "it holds", "clearing frees", "within 5 %", "line")
	for _, j := range judged {
		first := j.first()
		if j.Decoy {
			t.Row(j.Name+", decoy", map[bool]string{true: "FALSE", false: "no"}[j.Named], first.Name, megabytes(first.Bytes), "-", "-", "-")
			continue
		}
		t.Row(j.Name, bed.Yes(j.Named), cmp.Or(first.Name, "nothing"), megabytes(first.Bytes), megabytes(j.Figures.freed()), bed.Yes(j.Near), bed.Yes(j.Place))
	}
	for _, j := range judged {
		if !j.Decoy && !j.Named {
			t.Say("%s: want %s", j.Name, strings.Join(j.marks[0].names, " or "))
		}
	}
}

// writeCosts shows what hone needs for large heaps.
func writeCosts(r *bed.Result, all map[key]record) {
	t := r.Table("Large heaps", "program", "heap, GB", "dump, GB", "pause of the dump, s", "hone, s", "peak memory of hone, GB")
	gigabytes := func(n int64) string { return fmt.Sprintf("%.2f", float64(n)/1e9) }
	for _, k := range sorted(all) {
		if one := all[k]; k.bytes > 0 && one.Answer != nil {
			f, a := one.Figures, one.Answer
			t.Row(k.program, gigabytes(f.Before), gigabytes(f.Dump), seconds(time.Duration(f.PauseNanos)), seconds(a.took()), gigabytes(a.PeakBytes))
			r.Claim(fmt.Sprintf("`hone profile holders`, a heap of %g GB (%s)", float64(k.bytes)/1e9, k.program),
				"%s s, %s GB; the dump stops the program for %s s", seconds(a.took()), gigabytes(a.PeakBytes), seconds(time.Duration(f.PauseNanos)))
		}
	}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f", d.Seconds()) }

// writeMissing names what has no answer, with the reason.
func writeMissing(r *bed.Result, all map[key]record) {
	t := r.Table("Without an answer", "program", "reason")
	for _, k := range sorted(all) {
		if reason := cmp.Or(all[k].Skipped, all[k].Failed); reason != "" {
			first, _, _ := strings.Cut(reason, "\n")
			t.Row(k.program, first)
		}
	}
}

// sorted are the keys by size, then by program.
func sorted(all map[key]record) []key {
	return slices.SortedFunc(maps.Keys(all), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.bytes, b.bytes), cmp.Compare(a.program, b.program))
	})
}
