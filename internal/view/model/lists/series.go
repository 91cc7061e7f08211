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
	text := fmt.Sprintf("%s at %s %s, %s: %s", ChangeText(s.Ratio, s.Low, s.High), CommitText(&s.Commit),
		DayText(&s.Commit), s.Commit.Author, s.Commit.Subject)
	if s.Between > 0 {
		text += fmt.Sprintf("; or one of the %s after %s", units.Plural(s.Between, "commit"), CommitText(&s.After))
	}
	if s.State == chains.TakenBack || s.State == chains.AcceptedState {
		text += "; " + string(s.State)
	}
	if s.Confirmed {
		text += "; confirmed"
	}
	return text
}

// StepTone is the side that a step is on.
func StepTone(s chains.Step) model.Tone {
	if s.Worse {
		return model.Worse
	}
	return model.Better
}
