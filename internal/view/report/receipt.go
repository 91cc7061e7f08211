package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/repeat"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/receipt"
	"github.com/gohone/hone/judge"
)

// OfReceipt writes what a second measurement says of a receipt.
func OfReceipt(w io.Writer, r *receipt.Receipt, o *receipt.Outcome) error {
	r, o = printable.Document(r), printable.Document(o)
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s: %s\n", o.Answer, o.Reason)
	fmt.Fprintf(b, "  receipt  comparison %s of %s, number %d of %d of these trees in its ledger\n", r.Comparison,
		r.Started.Format(time.DateOnly), r.Tries.Place, r.Tries.Of)
	for _, side := range r.Sides {
		name := "release " + side.Release
		if side.Commit != "" {
			name = fmt.Sprintf("commit %.12s, tree %.12s", side.Commit, side.Tree)
		}
		fmt.Fprintf(b, "  %s        %s\n", side.Name, name)
	}
	if o.Machine != "" {
		fmt.Fprintf(b, "  machine  %s\n", o.Machine)
	}
	of := ""
	for _, f := range o.Findings {
		if f.Of != of {
			of = f.Of
			fmt.Fprintf(b, "%s\n", of)
		}
		what := "  " + f.What()
		if f.Claimed != nil {
			what += fmt.Sprintf(": %s there, %s here", claimOf(*f.Claimed), claimOf(*f.Again))
		}
		beside := ""
		if !f.Decides && f.Answer != repeat.Holds {
			beside = " (a figure beside the verdict)"
		}
		fmt.Fprintf(b, "%s: %s%s; %s\n", what, f.Answer, beside, f.Reason)
	}
	fmt.Fprintf(b, "second measurement: comparison %s\n", o.Receipt.Comparison)
	_, err := io.WriteString(w, b.String())
	return err
}

// claimOf is a change with its interval: -39.9 % (-42.2 ... -36.0 %).
func claimOf(v judge.Verdict) string {
	if v.Ratio == 0 {
		return "not measured"
	}
	return fmt.Sprintf("%s (%s)", units.Percent(v.Ratio-1), model.Interval(v))
}
