package insight

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
)

// The goals, on the closed half.
const (
	rankGoal  = 0.9
	kindGoal  = 0.85
	falseGoal = 0.08
	gainGoal  = 0.8
)

// write makes the result of the records of one half. Of a program that several sessions measured, the last one counts.
func write(r *bed.Result, records []record, of *corpus) {
	all := last(records, of.closed)
	var judged []judgement
	for _, p := range of.programs {
		if one, ok := all[p.Name]; ok && one.Failed == "" && p.Part == "" {
			judged = append(judged, judgeFindings(p, one))
		}
	}
	writeGoals(r, of.half(), judged)
	writeTable(r, of.half(), judged)
	writeMisses(r, judged)
	writeWaits(r, of, all)
	writePairs(r, of, all)
	writeFailures(r, all)
}

func writeGoals(r *bed.Result, half string, judged []judgement) {
	var first, kind, gain, wrong bed.Share
	for _, j := range judged {
		if j.NearMiss {
			wrong.Add(len(j.False) > 0)
			continue
		}
		first.Add(j.Rank == 1)
		kind.Add(j.Kind)
		if j.Held != nil {
			gain.Add(*j.Held)
		}
	}
	claim := func(what string) string { return fmt.Sprintf("`hone advise`, %s half of the corpus: %s", half, what) }
	r.Goal(claim("the defect is the first finding"), first, bed.AtLeast, rankGoal)
	r.Goal(claim("a finding at the defect has the right kind"), kind, bed.AtLeast, kindGoal)
	r.Goal(claim("near misses that are called a defect"), wrong, bed.AtMost, falseGoal)
	r.Goal(claim("the predicted gain is within 30 % of the measured one"), gain, bed.AtLeast, gainGoal)
}

func writeTable(r *bed.Result, half string, judged []judgement) {
	t := r.Table("Programs of the "+half+" half", "program", "kind", "rank", "said", "predicted", "measured")
	for _, j := range judged {
		rank, said, predicted, measured := "-", "-", "-", "-"
		switch {
		case j.NearMiss:
			said = map[bool]string{true: "nothing", false: "FALSE"}[len(j.False) == 0]
		case j.Rank > 0:
			rank, said = fmt.Sprint(j.Rank), j.Findings[j.Rank-1].Rule
		}
		if j.Held != nil {
			predicted, measured = fmt.Sprintf("%.0f %%", 100*j.Predicted), fmt.Sprintf("%.0f %%", 100*j.Measured)
		}
		kind := j.program.Kind
		if j.NearMiss {
			kind += ", near miss"
		}
		t.Row(j.Name, kind, rank, said, predicted, measured)
	}
}

// writeMisses shows what hone said where it was not right.
func writeMisses(r *bed.Result, judged []judgement) {
	for _, j := range judged {
		said := j.Findings
		switch {
		case j.NearMiss && len(j.False) == 0, !j.NearMiss && j.Rank == 1 && j.Kind:
			continue
		case j.NearMiss:
			said = j.False
		}
		want := j.WhyNot
		if !j.NearMiss {
			want = fmt.Sprintf("%s: %s", j.Defect[0].File, j.Defect[0].Text)
		}
		t := r.Table(fmt.Sprintf("Not right: %s, %s. %s", j.Name, j.program.Kind, want))
		for _, f := range said {
			t.Row(f.String())
		}
		if len(said) == 0 {
			t.Row("nothing is said")
		}
	}
}

// writeFailures names what could not be measured.
func writeFailures(r *bed.Result, all map[string]record) {
	t := r.Table("What failed", "program", "reason")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		one := all[name]
		if one.Failed != "" {
			first, _, _ := strings.Cut(one.Failed, "\n")
			t.Row(name, first)
		}
	}
}
