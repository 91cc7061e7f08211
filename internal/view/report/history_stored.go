package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/model/lists"
	"github.com/gohone/hone/judge"
)

// Stored writes the comparison of two stored runs: whether they were taken together, and
// what else differs, come before any number.
func Stored(w io.Writer, c *history.Stored) error {
	c = printable.Document(c)
	m := model.PairOf(c)
	b := &strings.Builder{}
	for i, r := range []ledger.Run{c.A, c.B} {
		fmt.Fprintf(b, "%s: %s\n", model.Letter(i), storedRun(r))
	}
	say(b, []model.Statement{m.Check}, m.Doubts, m.Verdicts)
	if m.Compared {
		t := &grid{}
		t.row("measure", "A -> B", "change", "interval", "p", "B is")
		for _, v := range c.Verdicts {
			if v.Method == judge.SlowShare {
				row := model.MeasureOf(v)
				t.row(row.Name, row.A.Text+" -> "+row.B.Text, row.Cells.Change, row.Cells.Interval, fmt.Sprintf("%.2g", v.P),
					string(v.Word))
				continue
			}
			t.row(v.Measure.Name, model.ValuesOf(v).String(), units.Percent(v.Ratio-1),
				model.Span(v, "-"), fmt.Sprintf("%.2g", v.P), string(v.Word))
		}
		t.write(b)
	}
	if c.Comparison != "" {
		fmt.Fprintf(b, "next: hone show %s (the comparison as it was decided then)\n", c.Comparison)
	} else {
		fmt.Fprintf(b,
			"next: hone compare A B with packages or refs measures both together; hone show %s, hone show %s\n", c.A.ID,
			c.B.ID)
	}
	return write(w, b)
}

func storedRun(r ledger.Run) string {
	version := history.Entry{Run: r}.Version()
	return fmt.Sprintf("%s  (%s, run %s of %s)", r.Label, lists.ShortVersion(version), r.ID,
		r.Started.Local().Format(timeLayout))
}
