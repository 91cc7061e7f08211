package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// MeasureHistory writes one measure by commit: a table for each series, with the change
// to the commit before and to the baseline, a bar, and a marked line at each change
// point.
func MeasureHistory(w io.Writer, h *history.History) error {
	h = printable.Document(h)
	if len(h.Series) == 0 {
		_, err := fmt.Fprintln(w, "no runs: hone run PACKAGE makes one; hone history without filters lists all")
		return err
	}
	b := &strings.Builder{}
	for _, s := range h.Series {
		writeSeries(b, h.Measure, s)
		b.WriteByte('\n')
	}
	fmt.Fprintln(b, "next: hone compare RUN RUN (two of these), hone show RUN, hone baseline set RUN")
	return write(w, b)
}

func writeSeries(b *strings.Builder, m compare.Measure, s history.Series) {
	fmt.Fprintln(b, SeriesTitle(s.Key))
	fmt.Fprintln(b, measureTitle(m, s))
	if s.Earlier > 0 {
		fmt.Fprintf(b, "(%d earlier not shown: -n 0 shows all)\n", s.Earlier)
	}
	head := []string{"started", "run", "commit", "value", "interval", "change"}
	if s.Baseline != nil {
		head = append(head, "to baseline")
	}
	t := &grid{}
	t.row(append(head, "")...)
	scale := newBand(s)
	changes := map[int]history.Change{}
	for _, c := range s.Changes {
		changes[c.Entry] = c
	}
	for i, e := range s.Entries {
		t.row(entryCells(s, e, scale)...)
		if c, ok := changes[i]; ok {
			t.note(strings.Repeat(" ", len(timeLayout)+2) + ChangeText(c))
		}
	}
	t.write(b)
}

// timeLayout is how lists write a time.
const timeLayout = "2006-01-02 15:04:05"

// SeriesTitle says which runs these are.
func SeriesTitle(k history.Key) string {
	title := cmp.Or(strings.Join(nonEmpty(k.Package, k.Label), "  "), "runs without a package")
	if under := nonEmpty(k.Plan, k.Machine); len(under) > 0 {
		title += "\nunder: " + strings.Join(under, "; on ")
	}
	return title
}

func measureTitle(m compare.Measure, s history.Series) string {
	title := m.Name
	if m.Better != "" {
		title += fmt.Sprintf(" (%s is better)", m.Better)
	}
	if s.Baseline != nil {
		title += fmt.Sprintf("; baseline %s: run %s, %s", s.Baseline.Name, s.Baseline.Run, ValueText(s.Unit, s.Baseline.Value))
	}
	return title
}

// entryCells is the line of one run. One that does not count says why instead of its
// numbers.
func entryCells(s history.Series, e history.Entry, scale band) []string {
	cells := []string{e.Started.Local().Format(timeLayout), e.ID, ShortVersion(e.Version())}
	if !e.Counts {
		return append(cells, WhyNot(e))
	}
	cells = append(cells, ValueText(s.Unit, e.Measure.Value), IntervalText(s.Unit, *e.Measure), ChangeCell(e.Change))
	if s.Baseline != nil {
		cells = append(cells, ChangeCell(e.AgainstBaseline))
	}
	bar := scale.draw(*e.Measure)
	if len(e.Baselines) > 0 {
		bar += " <- baseline " + strings.Join(e.Baselines, ", ")
	}
	return append(cells, bar)
}

// WhyNot says why a run does not count in its series.
func WhyNot(e history.Entry) string {
	if e.Status == ledger.Complete {
		return "not measured"
	}
	if e.Reason != "" {
		return string(e.Status) + ": " + e.Reason
	}
	return string(e.Status)
}

// ChangeText is the mark below the first run after a change.
func ChangeText(c history.Change) string {
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

// ChangeCell is a change as lists print it; empty for none.
func ChangeCell(change *float64) string {
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

// IntervalText is the interval of a value in the unit of ValueText; "-" without one.
func IntervalText(unit string, m ledger.MeasureValue) string {
	if m.Low == nil {
		return "-"
	}
	u := units.FamilyOf(unit).Pick(m.Value)
	return strings.TrimSpace(fmt.Sprintf("%s ... %s %s", units.Digits(*m.Low/u.Scale), units.Digits(*m.High/u.Scale), u.Name))
}
