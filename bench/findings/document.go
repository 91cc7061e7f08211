package main

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/bench/results"
)

// The goals.
const (
	recallGoal = 0.9
	falseGoal  = 0.1
	gainGoal   = 0.75
)

const head = `# Findings on programs whose defects are known

Made by ` + "`make findings`" + ` (bench/findings) from its results. For each rule there are three programs under
internal/advice/testdata: *speaks* has the defect, planted in a service with other work around it; *fixed* is the same
without the defect and answers the same; *silent* looks like it and is right as it is. The programs were written without a
look at the rules. How the rules came to know them: see "What the rules had seen".

Each program is loaded by ` + "`hone run`" + `, and ` + "`hone advise RUN --json`" + ` is judged:

- **found** is right if a finding of the rule under trial is at the planted line, some lines from it, or in its function.
- **rank** is its place among all findings of that program.
- **silent** is right if the rule under trial says nothing about the near miss, **fixed** if it says nothing about the
  repaired program.
- **predicted** is the finding's upper bound of the gain, **measured** what ` + "`hone compare`" + ` shows between speaks and
  fixed in the same measure, with its 95 % interval. They agree if the prediction is within 30 % of what was measured.
- **Other findings** above 3 % are judged by a reader of the source: true, true but not worth a change, or false.

`

// sheet is what the document is made from.
type sheet struct {
	w       io.Writer
	all     []judgement
	reviews []review
}

// write makes the document from the records.
func write(w io.Writer, records []record, reviews []review, public string) {
	parts := last(records)
	s := &sheet{w: w, reviews: reviews}
	for _, t := range trials {
		s.all = append(s.all, judge(t, parts[t.Rule]))
	}
	fmt.Fprint(w, head)
	results.Origin(w, joined(records))
	fmt.Fprint(w, "\nOf a part that several sessions measured, the last result counts.\n")
	s.goals()
	s.table()
	s.gains()
	s.misses()
	s.others()
	s.failures()
	if public != "" {
		fmt.Fprintf(w, "\n%s\n", public)
	}
}

// joined leaves out the heads of sessions that only went on where the one before was interrupted.
func joined(records []record) (some []record) {
	var last *results.Session
	for _, r := range records {
		if s := r.Session; s != nil {
			if last != nil && s.Command == last.Command && s.Hone == last.Hone {
				continue
			}
			last = s
		}
		some = append(some, r)
	}
	return some
}

func add(s *results.Share, ok bool) {
	s.N++
	if ok {
		s.Of++
	}
}

func (s *sheet) goals() {
	var recall, line, first, nearMiss, repaired, held, wrong results.Share
	open := 0
	for _, j := range s.all {
		if r := j.Parts[speaks]; r != nil && r.Said != nil {
			add(&recall, j.Found != nil)
			add(&line, j.Found != nil || j.As != nil)
			if j.Found != nil {
				add(&first, j.Rank == 1)
				add(&wrong, false)
			}
		}
		for _, one := range []struct {
			ok *bool
			to *results.Share
		}{{j.Silent, &nearMiss}, {j.Repaired, &repaired}, {j.Held, &held}} {
			if one.ok != nil {
				add(one.to, *one.ok)
			}
		}
		for _, p := range []part{speaks, silent, fixed} {
			for _, f := range j.others(p) {
				switch word := s.word(j, p, f); word {
				case unreviewed:
					open++
				default:
					add(&wrong, word == isFalse)
				}
			}
		}
	}
	fmt.Fprintf(s.w, "\n## Goals\n\nIn brackets: 95 %% intervals (Wilson). There are %d trials.\n\n", len(trials))
	results.TableHead(s.w, "goal", "measured", "")
	results.TableRow(s.w, fmt.Sprintf("the planted defect is found in at least %.0f %%", 100*recallGoal), of(recall), least(recall, recallGoal))
	results.TableRow(s.w, "the same, or another rule names a planted line", of(line), "")
	results.TableRow(s.w, fmt.Sprintf("false findings: at most %.0f %% of those above 3 %%", 100*falseGoal), of(wrong), most(wrong, falseGoal))
	results.TableRow(s.w, "the rule is silent on the near miss", of(nearMiss), least(nearMiss, 1-falseGoal))
	results.TableRow(s.w, "the rule is silent on the repaired program", of(repaired), least(repaired, 1-falseGoal))
	results.TableRow(s.w, "the planted defect ranks first, where it is found", of(first), "")
	results.TableRow(s.w, fmt.Sprintf("the predicted gain is within 30 %% of the measured one in %.0f %%", 100*gainGoal), of(held), least(held, gainGoal))
	fmt.Fprintf(s.w, "\n%d findings above 3 %% are not reviewed and count in no goal.\n", open)
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

func of(s results.Share) string {
	if s.N == 0 {
		return "-"
	}
	low, high := s.Wilson()
	return fmt.Sprintf("%d of %d, %.0f %% (%.0f ... %.0f)", s.Of, s.N, 100*s.Value(), 100*low, 100*high)
}

func least(s results.Share, goal float64) string { return verdict(s, s.Value() >= goal) }

func most(s results.Share, goal float64) string { return verdict(s, s.Value() <= goal) }

func verdict(s results.Share, held bool) string {
	switch {
	case s.N == 0:
		return "not measured"
	case held:
		return "held"
	}
	return "missed"
}

func (s *sheet) table() {
	fmt.Fprint(s.w, "\n## Trials\n\n")
	results.TableHead(s.w, "rule", "planted", "found", "rank", "cost", "silent", "fixed")
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
		results.TableRow(s.w, j.Rule, planted, found, rank, cost, right(j.Silent), right(j.Repaired))
	}
}

func (j judgement) foundWord() string {
	switch {
	case j.Found != nil:
		return "right"
	case j.Elsewhere:
		return "**elsewhere**"
	case j.As != nil:
		return "**as " + j.As.Rule + "**"
	}
	return "**no**"
}

func places(marks []mark) string {
	if len(marks) == 0 {
		return "-"
	}
	text := "`" + marks[0].String() + "`"
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
	return "**spoke**"
}

// gains shows predicted beside measured ones.
func (s *sheet) gains() {
	fmt.Fprint(s.w, "\n## Predicted and measured gain\n\nCPU per request and the measure of the finding, fixed beside speaks. A minus "+
		"means: less.\n\n")
	results.TableHead(s.w, "rule", "CPU per request", "measure", "predicted", "measured", "predicted / measured", "agree")
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
			agree = map[bool]string{true: "yes", false: "**no**"}[*j.Held]
		}
		results.TableRow(s.w, j.Rule, changed(r.Changes, "cpu"), measure, predicted, measured, ratio, agree)
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
	n := 0
	for _, j := range s.all {
		r := j.Parts[speaks]
		if r == nil || r.Said == nil || j.Found != nil {
			continue
		}
		if n++; n == 1 {
			fmt.Fprint(s.w, "\n## Planted defects that were not found\n")
		}
		fmt.Fprintf(s.w, "\n%s, planted at %s. hone said:\n\n```\n", j.Rule, places(r.Marks))
		for _, f := range r.Said.Findings {
			fmt.Fprintln(s.w, f)
		}
		if len(r.Said.Findings) == 0 {
			fmt.Fprintln(s.w, "nothing")
		}
		fmt.Fprintln(s.w, "```")
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
	n := 0
	for _, j := range s.all {
		for _, p := range []part{speaks, silent, fixed} {
			for _, f := range j.others(p) {
				if n++; n == 1 {
					fmt.Fprint(s.w, "\n## Other findings above 3 %\n\n")
					results.TableHead(s.w, "program", "finding", "judged", "reason")
				}
				program := j.Rule + "/" + string(p)
				r := reviewOf(s.reviews, program, f)
				results.TableRow(s.w, program, "`"+strings.ReplaceAll(f.String(), "|", "/")+"`", s.word(j, p, f), r.Reason)
			}
		}
	}
}

// failures names what could not be measured.
func (s *sheet) failures() {
	n := 0
	for _, j := range s.all {
		for _, p := range parts {
			r := j.Parts[p]
			if r == nil || r.Failed == "" {
				continue
			}
			if n++; n == 1 {
				fmt.Fprint(s.w, "\n## What failed\n\n")
			}
			first, _, _ := strings.Cut(r.Failed, "\n")
			fmt.Fprintf(s.w, "- %s/%s: %s\n", j.Rule, p, first)
		}
	}
}
