package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model/bench"
	"github.com/gohone/hone/internal/view/model/commits"
	"github.com/gohone/hone/internal/view/model/lists"
	"github.com/gohone/hone/internal/view/stored"
)

// History writes runs and comparisons, which come newest first, in the order they were
// started, one line each; pinned runs say so.
func History(w io.Writer, runs []ledger.Run, comparisons []ledger.Comparison, baselines []ledger.Baseline) error {
	runs, comparisons, baselines = printable.Document(runs), printable.Document(comparisons),
		printable.Document(baselines)
	type line struct {
		at   time.Time
		text string
	}
	var lines []line
	labels := map[string]string{}
	for _, r := range slices.Backward(runs) {
		labels[r.ID] = r.Label
		of, _ := stored.RunOf(r) // one whose document is damaged has a line, too
		kind := "run"
		if of.Load != nil {
			kind = "load"
		}
		lines = append(lines, line{r.Started, fmt.Sprintf("%s\t%s%s\t%s\t%s\t%s", r.ID, kind, member(r), r.Status,
			lists.RunSummary(of), r.Label+importedFrom(r.Origin)+pinnedAs(r, baselines))})
	}
	for _, c := range slices.Backward(comparisons) {
		of, _ := stored.ComparisonOf(c)
		kind, word := "comparison", lists.ComparisonWord(of)
		if of.Bench != nil {
			kind = "bench"
		}
		if of.Bisect != nil {
			kind = "bisect"
		}
		lines = append(lines, line{c.Started, fmt.Sprintf("%s\t%s\t%s\t%s\t%s", c.ID, kind, word,
			lists.ComparisonSummary(of), contestants(of, labels)+importedFrom(c.Origin))})
	}
	if len(lines) == 0 {
		_, err := fmt.Fprintln(w, "no runs: hone run PACKAGE makes one; hone history without filters lists all")
		return err
	}
	slices.SortStableFunc(lines, func(x, y line) int { return x.at.Compare(y.at) })
	tw := leftColumns(w)
	fmt.Fprintln(tw, "started\tname\twhat\tstate\tCPU per request or rate\tvariant or target")
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
func contestants(c *stored.Comparison, labels map[string]string) string {
	var names []string
	if c.Bench != nil {
		names = bench.Sides(c.Bench)
	}
	if c.Bisect != nil {
		names = commits.BisectEnds(c.Bisect)
	}
	for _, id := range c.Row.Runs {
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
