package page

import (
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/view/report"
)

// verdictsOf are the sentences of the contests.
func verdictsOf(c *lab.ComparisonRecord) []Statement {
	all := []Statement{}
	for _, contest := range c.Contests {
		all = append(all, Statement{report.ContestSentence(contest), contestTone(contest)})
	}
	return all
}

// contestTone is that of the verdict. What is faster by CPU time, and changed in something else that may be the reason, is not
// plainly better.
func contestTone(c lab.Contest) Tone {
	tone := wordTone(c.Word)
	if tone == Better && len(report.CaveatTexts(c)) > 0 {
		return Warning
	}
	return tone
}

func wordTone(w compare.Word) Tone {
	switch w {
	case compare.Faster:
		return Better
	case compare.Slower:
		return Worse
	case compare.Same:
		return Neutral
	case compare.Invalid:
		return Bad
	default:
		return Warning
	}
}

// gatesOf are the results of the gates, the failed ones first.
func gatesOf(c *lab.ComparisonRecord) []Statement {
	var all []Statement
	for _, g := range report.SortedGates(c) {
		all = append(all, Statement{report.Gate(g, len(c.Contests) > 1), gateTone(g.Outcome)})
	}
	return all
}

// answersOf says of each variant whether it answers as A does.
func answersOf(c *lab.ComparisonRecord, runs []lab.Record) []Statement {
	var all []Statement
	for _, line := range report.AnswerLines(c, runs) {
		all = append(all, Statement{line, lineTone(line, Good)})
	}
	return all
}

// lineTone is that of a line by the word that it begins with.
func lineTone(line string, otherwise Tone) Tone {
	word, _, _ := strings.Cut(line, ":")
	switch word {
	case "invalid":
		return Bad
	case "warning":
		return Warning
	case "note":
		return Neutral
	}
	return otherwise
}

// check says whether the measurement can be trusted, and what is left open.
func (c *compared) check() Check {
	if !report.HasVerdict(c.document) {
		said, notes := report.NoVerdict(c.document, c.runs)
		return Check{Statement: Statement{said, Bad}, Notes: notesOf(notes)}
	}
	if len(c.once) > 0 {
		line := report.OnceCheck(c.once)
		check := Check{Statement: Statement{line, checkTone(line)}, Notes: c.openNotes(nil)}
		for _, n := range report.OnceNotes(c.once...) {
			check.Notes = append(check.Notes, Statement{n.Text, toneOf(n)})
		}
		return check
	}
	line := report.Check(c.document, c.runs)
	return Check{Statement: Statement{line, checkTone(line)}, Notes: c.openNotes(report.CheckNotes(c.document, c.runs))}
}

// openNotes begin with what is left open, why that is not a pass, and what would change it.
func (c *compared) openNotes(lines []string) []Statement {
	var all []Statement
	if report.Indicative(c.document) {
		all = append(all, Statement{report.NotTogether, Warning})
	}
	for _, line := range report.NextSteps(c.document) {
		all = append(all, Statement{line, Warning})
	}
	return append(all, notesOf(lines)...)
}

func checkTone(line string) Tone {
	if strings.HasPrefix(line, "measurement ok") {
		return Good
	}
	return Warning
}

func notesOf(lines []string) []Statement {
	var all []Statement
	for _, line := range lines {
		all = append(all, Statement{line, lineTone(line, Neutral)})
	}
	return all
}
