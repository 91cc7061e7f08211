package page

import (
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/prof"
)

// findings fills in what the rules say of a run, with the user's source around each finding.
func (l *Library) findings(s *storedRun, r *Run) {
	if len(r.Profiles) == 0 {
		return
	}
	found, err := l.Stored.Findings(s.row.ID)
	if err != nil { // the run is worth seeing without, and hone advise says what is wrong
		r.FindingNote = "not looked for: " + err.Error()
		return
	}
	source := l.Stored.Source(s.record)
	for i, f := range found.Findings {
		r.Findings = append(r.Findings, findingOf(i+1, f, source))
	}
	notes := []string{report.Spent(found)}
	for _, m := range found.Missing {
		notes = append(notes, "not looked at: "+m)
	}
	r.FindingNote = strings.Trim(strings.Join(notes, "; "), "; ")
}

func findingOf(number int, f advice.Finding, source prof.Sources) Finding {
	one := Finding{
		Number: number, Rule: f.Rule, Title: f.Title, Cost: report.FindingCost(f), Gain: report.FindingGain(f), GainShare: f.Gain,
		Evidence: []Evidence{}, Change: f.Change, Before: f.Before, After: f.After, Verify: f.Verify,
	}
	for _, e := range f.Evidence {
		one.Evidence = append(one.Evidence, Evidence{Source: e.Source, Text: e.Text, Stack: e.Stack})
	}
	if p := f.Place; p.Function != "" {
		one.Place = &Place{Function: p.Function, File: p.File, Short: prof.ShortFile(p.File), Line: p.Line}
		one.Source = snippetAround(source, p.File, p.Line)
	}
	return one
}

// aroundLines is how many lines before and after a line are shown with it.
const aroundLines = 6

// snippetAround is the piece of a source file around a line; nil where the file or the line is not found.
func snippetAround(source prof.Sources, file string, line int64) *Snippet {
	if source == nil || file == "" || line < 1 {
		return nil
	}
	text, err := source.Source(file)
	if err != nil {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if line > int64(len(lines)) {
		return nil
	}
	from, to := max(1, line-aroundLines), min(int64(len(lines)), line+aroundLines)
	return &Snippet{File: prof.ShortFile(file), First: from, Marked: line, Lines: lines[from-1 : to]}
}
