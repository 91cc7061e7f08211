package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model/lists"
	"github.com/gohone/hone/judge"
)

// MeasureHistory writes one measure by commit: a table for each series, with the change
// from the run that was measured together with it and from the baseline, a bar, and a marked line at each change
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

func writeSeries(b *strings.Builder, m judge.Measure, s history.Series) {
	trend := lists.TrendOf(&s)
	fmt.Fprintln(b, trend.Title)
	fmt.Fprintln(b, measureTitle(m, trend))
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
	changes := map[int]string{}
	for _, c := range trend.Changes {
		changes[c.Point] = c.Text
	}
	for i, p := range trend.Points {
		t.row(pointCells(p, trend.Baseline != nil, scale, s.Entries[i].Measure)...)
		if text, ok := changes[i]; ok {
			t.note(strings.Repeat(" ", len(timeLayout)+2) + text)
		}
	}
	t.write(b)
}

// timeLayout is how lists write a time.
const timeLayout = "2006-01-02 15:04:05"

func measureTitle(m judge.Measure, t lists.TrendSeries) string {
	title := m.Name
	if m.Better != "" {
		title += fmt.Sprintf(" (%s is better)", m.Better)
	}
	if b := t.Baseline; b != nil {
		title += fmt.Sprintf("; baseline %s: run %s, %s", b.Name, b.Run, b.Text)
	}
	return title
}

// pointCells is the line of one run. One that does not count says why instead of its
// numbers.
func pointCells(p lists.TrendPoint, baseline bool, scale band, value *ledger.MeasureValue) []string {
	cells := []string{p.Started.Local().Format(timeLayout), p.Run, cmp.Or(p.Commit, "-"), p.Text}
	if !p.Counts {
		return cells
	}
	change := p.Change
	if p.ChangeFrom != "" {
		change += " from " + p.ChangeFrom
	}
	cells = append(cells, p.Interval, change)
	if baseline {
		cells = append(cells, p.AgainstBaseline)
	}
	bar := scale.draw(*value)
	if len(p.Baselines) > 0 {
		bar += " <- baseline " + strings.Join(p.Baselines, ", ")
	}
	return append(cells, bar)
}
