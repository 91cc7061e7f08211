package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/text/printable"
)

// OnceComparison writes a comparison of executions.
func OnceComparison(w io.Writer, c *lab.ComparisonRecord, runs []lab.OnceRecord) error {
	c, runs = printable.Document(c), printable.Document(runs)
	b := &strings.Builder{}
	labels := onceHeads(runs)
	if !HasVerdict(c) {
		fmt.Fprintln(b, noVerdict(c, brief))
	}
	for i, r := range runs {
		fmt.Fprintf(b, "%s: %s%s\n", Letter(i), r.Label, onceSource(r))
	}
	if len(runs) > 0 {
		fmt.Fprintln(b, OnceUnder(runs[0]))
	}
	if HasVerdict(c) {
		verdicts(b, c)
		fmt.Fprintln(b, OnceCheck(runs))
	}
	onceNotes(b, runs)
	why(b, c)
	tables(b, c, labels)
	onceSides(b, runs)
	next(b, c, labels)
	return write(w, b)
}

// OnceUnder says what all variants had in common.
func OnceUnder(r lab.OnceRecord) string {
	text := "under: no load; one execution of each in turn, to the end, "
	if len(r.Args) > 0 {
		text += "all with " + strings.Join(r.Args, " ") + ", "
	}
	return text + fmt.Sprintf("on %s, in %s", plural(r.Environment.CPUs, "CPU"), r.Dir)
}

// OnceCheck says whether a comparison of executions can be trusted.
func OnceCheck(runs []lab.OnceRecord) string {
	stolen := 0.0
	for _, r := range runs {
		stolen = max(stolen, r.Environment.StealShare)
	}
	return onceCheckWord(runs) + "every execution ended with exit code 0" + steal(stolen)
}

// onceSides are the facts of each variant, one line each.
func onceSides(b *strings.Builder, runs []lab.OnceRecord) {
	for i, r := range runs {
		if r.Facts != nil {
			fmt.Fprintf(b, "%s: %s  (%s)\n", Letter(i), factsLine(*r.Facts), plural(r.Facts.Executions, "execution"))
		}
		if p := r.Profiled; p != nil && p.Passes > 0 {
			fmt.Fprintf(b, "%s: the CPU profile saw %.0f %% of the CPU time of one more execution\n", Letter(i), 100*p.CPUShare)
		}
	}
}

// onceHeads are what executions have in common with all other runs.
func onceHeads(runs []lab.OnceRecord) []lab.Head {
	var all []lab.Head
	for _, r := range runs {
		all = append(all, r.Head)
	}
	return all
}
