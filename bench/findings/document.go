package findings

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/bench/bed"
)

// The goals.
const (
	recallGoal = 0.9
	falseGoal  = 0.1
	gainGoal   = 0.75
)

// sheet is what the result is made from.
type sheet struct {
	*bed.Result
	all     []judgement
	reviews []review
}

// write makes the result of the records. Of a part that several sessions measured, the last one counts.
func write(r *bed.Result, records []record, reviews []review) {
	parts := last(records)
	s := &sheet{Result: r, reviews: reviews}
	for _, t := range trials {
		s.all = append(s.all, judge(t, parts[t.Rule]))
	}
	s.goals()
	s.table()
	s.gains()
	s.misses()
	s.others()
	s.failures()
}

func (s *sheet) goals() {
	var recall, line, first, nearMiss, repaired, held, wrong bed.Share
	open := 0
	for _, j := range s.all {
		if r := j.Parts[speaks]; r != nil && r.Said != nil {
			recall.Add(j.Found != nil)
			line.Add(j.Found != nil || j.As != nil)
			if j.Found != nil {
				first.Add(j.Rank == 1)
				wrong.Add(false)
			}
		}
		for _, one := range []struct {
			ok *bool
			to *bed.Share
		}{{j.Silent, &nearMiss}, {j.Repaired, &repaired}, {j.Held, &held}} {
			if one.ok != nil {
				one.to.Add(*one.ok)
			}
		}
		for _, p := range []part{speaks, silent, fixed} {
			for _, f := range j.others(p) {
				switch word := s.word(j, p, f); word {
				case unreviewed:
					open++
				default:
					wrong.Add(word == isFalse)
				}
			}
		}
	}
	s.Goal("`hone advise`: the planted defect is found", recall, bed.AtLeast, recallGoal)
	s.Claim("`hone advise`: the same, or another rule names a planted line", "%s", line)
	s.Goal("`hone advise`: false findings among those above 3 %", wrong, bed.AtMost, falseGoal)
	s.Goal("`hone advise`: the rule is silent on the near miss", nearMiss, bed.AtLeast, 1-falseGoal)
	s.Goal("`hone advise`: the rule is silent on the repaired program", repaired, bed.AtLeast, 1-falseGoal)
	s.Claim("`hone advise`: the planted defect ranks first, where it is found", "%s", first)
	s.Goal("`hone advise`: the predicted gain is within 30 % of the measured one", held, bed.AtLeast, gainGoal)
	s.Claim("`hone advise`: findings above 3 % that are not reviewed and count in no goal", "%d", open)
}

// word is the review of a finding beside the planted one. One of the rule under trial is false where
// nothing was planted, unless a reader of the source says otherwise.
func (s *sheet) word(j judgement, p part, f found) string {
	r := reviewOf(s.reviews, j.Rule+"/"+string(p), f)
	if r.Word == unreviewed && p != speaks && f.Rule == j.Rule {
		return isFalse
	}
	return r.Word
}

func (s *sheet) table() {
	t := s.Table("Trials", "rule", "planted", "found", "rank", "cost", "silent", "fixed")
	for _, j := range s.all {
		planted, found, rank, cost := "-", "-", "-", "-"
		if r := j.Parts[speaks]; r != nil {
			planted = places(r.Marks)
			if r.Said != nil {
				found = j.foundWord()
			}
		}
		if j.Found != nil {
			rank = fmt.Sprint(j.Rank)
			cost = fmt.Sprintf("%s of %s", percent(j.Found.Cost), j.Found.Measure)
		}
		t.Row(j.Rule, planted, found, rank, cost, right(j.Silent), right(j.Repaired))
	}
}

func (j judgement) foundWord() string {
	switch {
	case j.Found != nil:
		return "right"
	case j.Elsewhere:
		return "elsewhere"
	case j.As != nil:
		return "as " + j.As.Rule + ""
	}
	return "no"
}

func places(marks []mark) string {
	if len(marks) == 0 {
		return "-"
	}
	text := marks[0].String()
	if n := len(marks) - 1; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

func right(ok *bool) string {
	switch {
	case ok == nil:
		return "-"
	case *ok:
		return "right"
	}
	return "spoke"
}

// gains shows predicted beside measured ones.
func (s *sheet) gains() {
	t := s.Table("Predicted and measured gain of the repair; a minus means less", "rule", "CPU per request", "measure", "predicted", "measured", "predicted / measured", "agree")
	for _, j := range s.all {
		r := j.Parts[gain]
		if r == nil || len(r.Changes) == 0 {
			continue
		}
		measure, predicted, measured, ratio, agree := "-", "-", "-", "-", "-"
		if j.Found != nil {
			measure, predicted = string(j.Found.Measure), "-"+percent(j.Found.Gain)
			if j.Found.Gain == 0 {
				predicted = "not known"
			}
			measured = changed(r.Changes, j.Key)
		}
		if j.Held != nil {
			ratio = fmt.Sprintf("%.2f", j.Predicted/j.Measured)
			agree = map[bool]string{true: "yes", false: "no"}[*j.Held]
		}
		t.Row(j.Rule, changed(r.Changes, "cpu"), measure, predicted, measured, ratio, agree)
	}
}

func changed(all map[string]change, key string) string {
	c, ok := all[key]
	if !ok {
		return "-"
	}
	return c.String()
}

func percent(fraction float64) string {
	if math.Abs(fraction) < 0.1 {
		return fmt.Sprintf("%.1f %%", 100*fraction)
	}
	return fmt.Sprintf("%.0f %%", 100*fraction)
}

// misses shows what hone said where the planted defect was not found.
func (s *sheet) misses() {
	for _, j := range s.all {
		r := j.Parts[speaks]
		if r == nil || r.Said == nil || j.Found != nil {
			continue
		}
		t := s.Table(fmt.Sprintf("Not found: %s, planted at %s. hone said:", j.Rule, places(r.Marks)))
		for _, f := range r.Said.Findings {
			t.Row(f.String())
		}
		if len(r.Said.Findings) == 0 {
			t.Row("nothing")
		}
	}
}

// String is a finding on one line.
func (f found) String() string {
	text := fmt.Sprintf("%s of %s: %s: %s %s:%d %s", percent(f.Cost), f.Measure, f.Rule, f.Title, filepath.Base(f.Place.File), f.Place.Line,
		nameOf(f.Place.Function))
	if f.Via != "" {
		text += ", via " + f.Via
	}
	return text
}

// others shows the findings beside the planted ones, with what a reader of the source says.
func (s *sheet) others() {
	t := s.Table("Other findings above 3 %", "program", "finding", "judged", "reason")
	for _, j := range s.all {
		for _, p := range []part{speaks, silent, fixed} {
			for _, f := range j.others(p) {
				program := j.Rule + "/" + string(p)
				t.Row(program, f.String(), s.word(j, p, f), reviewOf(s.reviews, program, f).Reason)
			}
		}
	}
}

// failures names what could not be measured.
func (s *sheet) failures() {
	t := s.Table("What failed", "program", "reason")
	for _, j := range s.all {
		for _, p := range parts {
			if r := j.Parts[p]; r != nil && r.Failed != "" {
				first, _, _ := strings.Cut(r.Failed, "\n")
				t.Row(j.Rule+"/"+string(p), first)
			}
		}
	}
}
