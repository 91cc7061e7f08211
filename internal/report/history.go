package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/gobench"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/loadtest"
	"github.com/gohone/hone/internal/printable"
	"github.com/gohone/hone/internal/recording"
	"github.com/gohone/hone/internal/units"
)

// History writes runs and comparisons, which come newest first, in the order they were
// started, one line each; pinned runs say so.
func History(w io.Writer, runs []ledger.Run, comparisons []ledger.Comparison, baselines []ledger.Baseline) error {
	runs, comparisons, baselines = printable.Document(runs), printable.Document(comparisons), printable.Document(baselines)
	type line struct {
		at   time.Time
		text string
	}
	var lines []line
	labels := map[string]string{}
	for _, r := range slices.Backward(runs) {
		labels[r.ID] = r.Label
		lines = append(lines, line{r.Started, fmt.Sprintf("%s\t%s%s\t%s\t%s\t%s", r.ID, kindOfRun(r), member(r), r.Status, RunSummary(r), r.Label+importedFrom(r.Origin)+pinnedAs(r, baselines))})
	}
	for _, c := range slices.Backward(comparisons) {
		word := c.Word
		if c.Status != ledger.Complete {
			word = string(c.Status)
		}
		lines = append(lines, line{c.Started, fmt.Sprintf("%s\t%s\t%s\t%s\t%s", c.ID, kindOfComparison(c), word, ComparisonSummary(c), contestants(c, labels)+importedFrom(c.Origin))})
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
func contestants(c ledger.Comparison, labels map[string]string) string {
	names := BenchSides(c)
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

// kindOfRun is what lists call a run.
func kindOfRun(r ledger.Run) string {
	if SchemaOf(r.Doc) == loadtest.StoredSchema {
		return "load"
	}
	return "run"
}

// SchemaOf is the schema of a stored document; empty if it has none.
func SchemaOf(doc json.RawMessage) string {
	var head struct {
		Schema string `json:"schema"`
	}
	_ = json.Unmarshal(doc, &head) // who reads the document says what is wrong with it
	return head.Schema
}

// RunSummary is the main measure of a run, "-" if there is none: CPU time per request, of an
// execution the CPU time, of a load test rate and latency.
func RunSummary(r ledger.Run) string {
	var doc struct {
		CPU *lab.Interval `json:"cpu_ns_per_request"`
	}
	switch SchemaOf(r.Doc) {
	case lab.OnceSchema:
		return onceSummary(r)
	case loadtest.StoredSchema:
		return loadSummary(r)
	}
	if len(r.Doc) > 0 && json.Unmarshal(r.Doc, &doc) == nil && doc.CPU != nil {
		return units.Nanos(doc.CPU.Value)
	}
	return "-"
}

// loadSummary is the rate of right answers, and the p99 of the latency that speaks for the target.
func loadSummary(r ledger.Run) string {
	var doc struct {
		Summary *struct {
			AchievedHz float64           `json:"achieved_hz"`
			Latency    recording.Latency `json:"latency"`
		} `json:"summary"`
	}
	if json.Unmarshal(r.Doc, &doc) != nil || doc.Summary == nil || doc.Summary.Latency.Count == 0 {
		return "-"
	}
	l := doc.Summary.Latency
	return fmt.Sprintf("%s, p99 %s", units.Rate(doc.Summary.AchievedHz), percentileText(l.P99, 99, l.Count))
}

// kindOfComparison is what lists call a comparison.
func kindOfComparison(c ledger.Comparison) string {
	if SchemaOf(c.Doc) == gobench.Schema {
		return "bench"
	}
	return "comparison"
}

// BenchSides are the labels of a comparison of benchmarks; nil for any other comparison.
func BenchSides(c ledger.Comparison) []string {
	r := benchOf(c)
	if r == nil {
		return nil
	}
	return []string{r.Sides[0].Label, r.Sides[1].Label}
}

// benchOf is the result that a comparison of benchmarks keeps; nil for any other comparison.
func benchOf(c ledger.Comparison) *gobench.Result {
	r := &gobench.Result{}
	if SchemaOf(c.Doc) != gobench.Schema || json.Unmarshal(c.Doc, r) != nil {
		return nil
	}
	return printable.Document(r)
}

// ComparisonSummary is the change of the gated measure, of benchmarks how many have which
// verdict; "-" if there is none.
func ComparisonSummary(c ledger.Comparison) string {
	if r := benchOf(c); r != nil {
		return benchCounts(r)
	}
	var doc lab.ComparisonRecord
	if len(c.Doc) == 0 || json.Unmarshal(c.Doc, &doc) != nil || len(doc.Contests) == 0 {
		return "-"
	}
	v, ok := gated(printable.Document(doc.Contests[0]))
	if !ok {
		return "-"
	}
	return fmt.Sprintf("%s (%s)", units.Percent(v.Ratio-1), units.Span(v.Low-1, v.High-1))
}
