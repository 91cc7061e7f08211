package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/units"
)

// History writes runs and comparisons, which come newest first, in the order they were
// started, one line each; pinned runs say so.
func History(w io.Writer, runs []ledger.Run, comparisons []ledger.Comparison, baselines []ledger.Baseline) error {
	type line struct {
		at   time.Time
		text string
	}
	var lines []line
	labels := map[string]string{}
	for _, r := range slices.Backward(runs) {
		labels[r.ID] = r.Label
		lines = append(lines, line{r.Started, fmt.Sprintf("%s\trun%s\t%s\t%s\t%s", r.ID, member(r), r.Status, runSummary(r), r.Label+importedFrom(r.Origin)+pinnedAs(r, baselines))})
	}
	for _, c := range slices.Backward(comparisons) {
		word := c.Word
		if c.Status != ledger.Complete {
			word = string(c.Status)
		}
		lines = append(lines, line{c.Started, fmt.Sprintf("%s\tcomparison\t%s\t%s\t%s", c.ID, word, comparisonSummary(c), contestants(c, labels)+importedFrom(c.Origin))})
	}
	if len(lines) == 0 {
		_, err := fmt.Fprintln(w, "no runs: hone run PACKAGE makes one; hone history without filters lists all")
		return err
	}
	slices.SortStableFunc(lines, func(x, y line) int { return x.at.Compare(y.at) })
	tw := leftColumns(w)
	fmt.Fprintln(tw, "started\tname\twhat\tstate\tCPU per request\tvariant")
	for _, l := range lines {
		fmt.Fprintf(tw, "%s\t%s\n", l.at.Local().Format("2006-01-02 15:04:05"), l.text)
	}
	return tw.Flush()
}

// pinnedAs names the baselines that a run is.
func pinnedAs(r ledger.Run, baselines []ledger.Baseline) string {
	text := ""
	for _, b := range baselines {
		if b.Run == r.ID {
			text += "  <- " + baselineName(b.Name)
		}
	}
	return text
}

// importedFrom says that a run or comparison was measured elsewhere.
func importedFrom(o *ledger.Origin) string {
	if o == nil {
		return ""
	}
	return "  (imported from " + o.Host + ")"
}

// contestants are the labels of a comparison's runs, as far as they are in the list.
func contestants(c ledger.Comparison, labels map[string]string) string {
	var names []string
	for _, id := range c.Runs {
		if label := labels[id]; label != "" {
			names = append(names, label)
		}
	}
	return strings.Join(names, " against ")
}

// member names the side of a comparison that a run belongs to.
func member(r ledger.Run) string {
	if r.Comparison == "" {
		return ""
	}
	return fmt.Sprintf(" %s of %s", r.Variant, r.Comparison)
}

// runSummary is the gated measure of a run, or why there is none.
func runSummary(r ledger.Run) string {
	var doc struct {
		CPU *lab.Interval `json:"cpu_ns_per_request"`
	}
	if len(r.Doc) > 0 && json.Unmarshal(r.Doc, &doc) == nil && doc.CPU != nil {
		return units.Nanos(doc.CPU.Value)
	}
	return onceSummary(r)
}

// comparisonSummary is the change of the gated measure.
func comparisonSummary(c ledger.Comparison) string {
	var doc lab.ComparisonRecord
	if len(c.Doc) == 0 || json.Unmarshal(c.Doc, &doc) != nil || len(doc.Contests) == 0 {
		return "-"
	}
	v, ok := gated(doc.Contests[0])
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%s (%s)", units.Percent(v.Ratio-1), units.Span(v.Low-1, v.High-1))
}
