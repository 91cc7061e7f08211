package lists

import (
	"fmt"

	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
)

// ChangeText is a ratio as a change with its interval; an exact one has none.
func ChangeText(ratio, low, high float64) string {
	if low == high {
		return units.Percent(ratio - 1)
	}
	return units.Percent(ratio-1) + " (" + units.Span(low-1, high-1) + ")"
}

// CommitText is the beginning of a commit's hash.
func CommitText(c *series.Commit) string { return fmt.Sprintf("%.10s", c.Hash) }

// DayText is the day of a commit.
func DayText(c *series.Commit) string { return c.Time.Format("2006-01-02") }

// StepText says by how much a measure changed for good, at which commit, and what became of it.
func StepText(s chains.Step) string {
	made := s.Made()
	text := fmt.Sprintf("%s at %s %s, %s: %s", ChangeText(s.Ratio, s.Low, s.High), CommitText(made), DayText(made),
		made.Author, made.Subject)
	if or := OtherCommits(s); or != "" {
		text += "; " + or
	}
	if s.State == chains.TakenBack || s.State == chains.AcceptedState {
		text += "; " + string(s.State)
	}
	return text + "; " + ConfirmedText(s)
}

// OtherCommits says which commits may have made a step, too; empty where a search has found the one, and where there is no
// other one.
func OtherCommits(s chains.Step) string {
	if s.Between == 0 || s.Found != nil {
		return ""
	}
	return fmt.Sprintf("or one of the %s after %s", units.Plural(s.Between, "commit"), CommitText(&s.After))
}

// ConfirmedText says what has shown a step.
func ConfirmedText(s chains.Step) string {
	switch {
	case s.Confirmed && s.Again != nil:
		return "confirmed by a further measurement"
	case s.Confirmed:
		return "confirmed"
	case s.Again != nil:
		return "not confirmed: measured again as " + ChangeText(s.Again.Ratio, s.Again.Low, s.Again.High)
	case !s.Paired():
		return "single runs"
	}
	return "not confirmed"
}

// StepTone is the side that a step is on.
func StepTone(s chains.Step) model.Tone {
	if s.Worse {
		return model.Worse
	}
	return model.Better
}
