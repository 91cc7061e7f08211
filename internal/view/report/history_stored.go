package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// Stored writes the comparison of two stored runs: whether they were taken together, and
// what else differs, come before any number.
func Stored(w io.Writer, c *history.Stored) error {
	c = printable.Document(c)
	b := &strings.Builder{}
	for i, r := range []ledger.Run{c.A, c.B} {
		fmt.Fprintf(b, "%s: %s\n", Letter(i), storedRun(r))
	}
	if c.Comparison == "" {
		fmt.Fprintln(b, NotTogether)
	} else {
		fmt.Fprintf(b, "measured together, in comparison %s: decided anew from its pairs of slices, with its looks\n", c.Comparison)
	}
	for _, d := range c.Differs {
		fmt.Fprintln(b, "differs: "+d)
	}
	if len(c.Verdicts) == 0 {
		fmt.Fprintln(b, "no measure that both runs show")
	} else {
		fmt.Fprintln(b, StoredSentence(c.Verdicts[0]))
		t := &grid{}
		t.row("measure", "A -> B", "change", "interval", "p", "B is")
		for _, v := range c.Verdicts {
			t.row(v.Measure.Name, pairOf(v).String(), units.Percent(v.Ratio-1),
				span(v, "-"), fmt.Sprintf("%.2g", v.P), string(v.Word))
		}
		t.write(b)
	}
	if c.Comparison != "" {
		fmt.Fprintf(b, "next: hone show %s (the comparison as it was decided then)\n", c.Comparison)
	} else {
		fmt.Fprintf(b, "next: hone compare A B with packages or refs measures both together; hone show %s, hone show %s\n", c.A.ID, c.B.ID)
	}
	return write(w, b)
}

func storedRun(r ledger.Run) string {
	version := history.Entry{Run: r}.Version()
	return fmt.Sprintf("%s  (%s, run %s of %s)", r.Label, ShortVersion(version), r.ID, r.Started.Local().Format(timeLayout))
}

// StoredSentence is the gated measure's verdict in one sentence.
func StoredSentence(v compare.Verdict) string {
	return fmt.Sprintf("%s: %s %s (%s, %.0f %% interval %s); %s", claim(v, "A", "B"), v.Measure.Name,
		pairOf(v), units.Percent(v.Ratio-1), 100*v.Conf, span(v, "-"), v.Reason)
}
