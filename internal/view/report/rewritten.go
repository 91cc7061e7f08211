package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/model"
)

// Rewritten writes the patch of a rewrite that pays with the gain that was measured, or why there is
// none to take.
func Rewritten(w io.Writer, r *tuning.Rewritten) error {
	patch := patchLines(r.Patch)
	r = printable.Document(r)
	b := &strings.Builder{}
	fmt.Fprintf(b, "tried: %s: %s\n", r.Place, r.Does)
	fmt.Fprintf(b, "checked: %s\n", Checked(r))
	fmt.Fprintln(b, rewrittenSentence(r))
	for _, v := range r.Verdicts {
		other := r.Decides != nil && v.Measure.Key != r.Decides.Measure.Key
		if !other || !v.Word.Different() || !slices.Contains(alsoShown, v.Measure.Key) {
			continue
		}
		fmt.Fprintf(b, "also: %s\n", model.Measured(v))
	}
	for _, c := range r.Caveats {
		fmt.Fprintf(b, "caveat: %s\n", c.Text)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(b, "note: %s\n", note)
	}
	if r.Different == "" {
		fmt.Fprintf(b, "\n%s", patch)
	}
	switch {
	case len(r.Wrote) > 0:
		fmt.Fprintf(b, "\nwritten: %s\n", strings.Join(r.Wrote, ", "))
	case r.Pays() && r.Run != "":
		fmt.Fprintf(b, "\nnothing is written; --apply writes a patch that pays\n")
	}
	if r.Comparison != "" {
		fmt.Fprintf(b, "next: hone show %s\n", r.Comparison)
	}
	return write(w, b)
}

// patchLines is a patch as it can be applied. A line that is none of a patch, such as a part of a file's name, does not
// begin a line of the report.
func patchLines(patch string) string {
	b := &strings.Builder{}
	for line := range strings.Lines(patch) {
		if !slices.ContainsFunc([]string{"diff --git ", "index ", "--- ", "+++ ", "@@ ", " ", "+", "-", "\\ "},
			func(mark string) bool { return strings.HasPrefix(line, mark) }) && line != "\n" {
			b.WriteString("  ")
		}
		b.WriteString(line)
	}
	return b.String()
}

// alsoShown are the measures besides that of the finding that are worth a line; hone show has all.
var alsoShown = []string{measure.CPU.Key, measure.Throughput.Key, "p50", "p99", measure.Allocs.Key, measure.Bytes.Key,
	measure.Resident.Key}

// rewrittenSentence is the outcome.
func rewrittenSentence(r *tuning.Rewritten) string {
	switch {
	case r.Different != "":
		return "the patch changes the answers, so that it is not offered: " + r.Different
	case r.Decides == nil || r.Claim == tuning.NotKnown:
		return "whether the patch pays is not known: there were too few starts for an interval; a larger --budget gives more"
	}
	what := changeOf(r)
	switch r.Claim {
	case tuning.Less:
		return "the patch pays: " + what
	case tuning.More:
		return "the patch does not pay, it costs: " + what
	}
	if c := record.OpenCaveat(r.Caveats); c != nil && r.Decides.High < 1 {
		return "the patch is not shown to pay: " + what + ", but " + c.Text
	}
	if r.Decides.High < 1 {
		return "the patch does not pay enough to be called faster: " + what
	}
	return "the patch does not pay as far as can be shown: " + what + " covers 0"
}

// changeOf is the deciding measure with its change: CPU per request -12.3 % (95 % interval ...).
func changeOf(r *tuning.Rewritten) string {
	v := *r.Decides
	name := v.Measure.Name
	if r.Benchmark != "" {
		name += " of Benchmark" + r.Benchmark
	}
	return fmt.Sprintf("%s %s (%s)", name, units.Percent(v.Ratio-1), model.Interval(v))
}
