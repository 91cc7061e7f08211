package page

import (
	"strings"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/view/model"
)

// findings fills in what the rules say of a run, with the user's source around each finding; nil where they were not
// looked for.
func (l *Library) findings(s *storedRun, r *Run) *advice.Findings {
	if len(r.Profiles) == 0 {
		return nil
	}
	found, err := l.Stored.Findings(s.row.ID)
	if err != nil { // the run is worth seeing without, and hone advise says what is wrong
		r.FindingNote = "not looked for: " + err.Error()
		return nil
	}
	source := l.Stored.Source(s.record)
	for i, f := range found.Findings {
		r.Findings = append(r.Findings, model.FindingOf(i+1, f, source))
	}
	notes := []string{model.Spent(found)}
	for _, line := range model.LargeLines(found) {
		notes = append(notes, "large, and in no finding: "+line)
	}
	for _, m := range found.Missing {
		notes = append(notes, "not looked at: "+m)
	}
	r.FindingNote = strings.Trim(strings.Join(notes, "; "), "; ")
	return found
}
