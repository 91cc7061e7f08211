package lists

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
)

// TrendSeries are runs that may be compared, the oldest first.
type TrendSeries struct {
	Title   string       `json:"title"`
	Name    string       `json:"name"` // of the program, for headings
	Package string       `json:"package"`
	Label   string       `json:"label"`
	Plan    string       `json:"plan"`
	Machine string       `json:"machine"`
	Unit    string       `json:"unit"`
	Points  []TrendPoint `json:"points"`
	Changes []TrendStep  `json:"changes,omitempty"`
	// Baseline is the pinned run that changes are related to; nil without one.
	Baseline *TrendBaseline `json:"baseline,omitempty"`
	// Earlier is how many runs before these are not shown.
	Earlier int `json:"earlier,omitempty"`
}

// TrendPoint is one run of a series.
type TrendPoint struct {
	Run     string    `json:"run"`
	Started time.Time `json:"started"`
	Commit  string    `json:"commit,omitempty"`
	Status  string    `json:"status"`
	// Value is nil where the run does not have the measure. Low and High are its interval, 0 without one.
	Value *float64 `json:"value"`
	Low   float64  `json:"low,omitempty"`
	High  float64  `json:"high,omitempty"`
	Text  string   `json:"text"`
	// Interval is the interval as text, in the unit of Text; "-" without one.
	Interval string `json:"-"`
	// Change is from the run ChangeFrom, which was measured with it; AgainstBaseline is against the baseline, of
	// another time.
	Change          string   `json:"change,omitempty"`
	ChangeFrom      string   `json:"change_from,omitempty"`
	AgainstBaseline string   `json:"against_baseline,omitempty"`
	Baselines       []string `json:"baselines,omitempty"`
	// Counts says that the run is part of the series: complete and with a value.
	Counts bool `json:"counts,omitempty"`
	// Disturbed says that the machine disturbed most of the run, as far as its document was read.
	Disturbed bool `json:"disturbed,omitempty"`
}

// TrendStep is a point at which the measure changed for good.
type TrendStep struct {
	// Point is the index of the first point after the change.
	Point  int        `json:"point"`
	Before float64    `json:"before"`
	After  float64    `json:"after"`
	Text   string     `json:"text"`
	Tone   model.Tone `json:"tone"`
}

// TrendBaseline is a pinned run with its value.
type TrendBaseline struct {
	Name  string  `json:"name"`
	Run   string  `json:"run"`
	Value float64 `json:"value"`
	Text  string  `json:"text"`
}

// TrendOf is a series with its texts.
func TrendOf(s *history.Series) TrendSeries {
	t := TrendSeries{
		Title: seriesTitle(s.Key), Package: s.Package, Label: s.Label, Plan: s.Plan, Machine: s.Machine,
		Unit: s.Unit, Points: make([]TrendPoint, 0, len(s.Entries)), Earlier: s.Earlier,
	}
	for i := range s.Entries {
		t.Points = append(t.Points, pointOf(s, &s.Entries[i]))
	}
	for _, c := range s.Changes {
		step := TrendStep{Point: c.Entry, Before: c.Before, After: c.After, Text: changeText(c), Tone: model.Neutral}
		switch {
		case c.Better:
			step.Tone = model.Better
		case c.Worse:
			step.Tone = model.Worse
		}
		t.Changes = append(t.Changes, step)
	}
	if b := s.Baseline; b != nil {
		t.Baseline = &TrendBaseline{Name: b.Name, Run: b.Run, Value: b.Value, Text: ValueText(s.Unit, b.Value)}
	}
	return t
}

func pointOf(s *history.Series, e *history.Entry) TrendPoint {
	p := TrendPoint{Run: e.ID, Started: e.Started, Status: string(e.Status), Baselines: e.Baselines, Counts: e.Counts}
	if version := e.Version(); version != "" {
		p.Commit = ShortVersion(version)
	}
	if m := e.Measure; m != nil {
		value := m.Value
		p.Value = &value
		if m.Low != nil {
			p.Low, p.High = *m.Low, *m.High
		}
	}
	if !e.Counts {
		p.Text = whyNot(*e)
		return p
	}
	p.Text, p.Interval = ValueText(s.Unit, e.Measure.Value), intervalText(s.Unit, *e.Measure)
	p.Change, p.AgainstBaseline = changeCell(e.Change), changeCell(e.AgainstBaseline)
	p.ChangeFrom = e.ChangeFrom
	return p
}

// seriesTitle says which runs these are.
func seriesTitle(k history.Key) string {
	title := cmp.Or(strings.Join(model.NonEmpty(k.Package, k.Label), "  "), "runs without a package")
	if under := model.NonEmpty(k.Plan, k.Machine); len(under) > 0 {
		title += "\nunder: " + strings.Join(under, "; on ")
	}
	return title
}

// whyNot says why a run does not count in its series.
func whyNot(e history.Entry) string {
	if e.Status == ledger.Complete {
		return "not measured"
	}
	if e.Reason != "" {
		return string(e.Status) + ": " + e.Reason
	}
	return string(e.Status)
}

// changeText is the mark below the first run after a change.
func changeText(c history.Change) string {
	text := fmt.Sprintf("^ %s", units.Percent(c.Ratio-1))
	since := "run " + c.Run
	if c.Commit != "" {
		since = ShortVersion(c.Commit)
	}
	text += fmt.Sprintf(" since %s (p = %.2g)", since, c.P)
	switch {
	case c.Better:
		text += ", better"
	case c.Worse:
		text += ", worse"
	}
	return text
}

// changeCell is a change as lists print it; empty for none.
func changeCell(change *float64) string {
	if change == nil {
		return ""
	}
	return units.Percent(*change)
}

// ShortVersion cuts a commit to the eight digits that people quote, and keeps the plus
// sign of a changed work tree.
func ShortVersion(version string) string {
	commit, dirty := strings.CutSuffix(version, "+")
	if commit == "" {
		return "-"
	}
	commit = commit[:min(8, len(commit))]
	if dirty {
		commit += "+"
	}
	return commit
}

// ValueText is a value with a unit that suits it.
func ValueText(unit string, v float64) string {
	u := units.FamilyOf(unit).Pick(v)
	return strings.TrimSpace(units.Digits(v/u.Scale) + " " + u.Name)
}

// intervalText is the interval of a value in the unit of ValueText; "-" without one.
func intervalText(unit string, m ledger.MeasureValue) string {
	if m.Low == nil {
		return "-"
	}
	u := units.FamilyOf(unit).Pick(m.Value)
	return strings.TrimSpace(fmt.Sprintf("%s ... %s %s", units.Digits(*m.Low/u.Scale), units.Digits(*m.High/u.Scale),
		u.Name))
}
