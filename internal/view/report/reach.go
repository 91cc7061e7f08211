package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model"
)

// Reach writes the functions that differ, and which benchmarks and tests execute them.
func Reach(w io.Writer, r *benchmarks.Reach) error {
	r = printable.Document(r)
	if r.Table == nil { // it was not found out to the end
		return nil
	}
	b := &strings.Builder{}
	wrapped(b, "", "; ", model.ReachOfAll(r.Table))
	if len(r.Functions) > 0 {
		b.WriteByte('\n')
		table := leftColumns(b)
		fmt.Fprintln(table, "function\tplace\tchanged\texecuted by")
		for _, row := range model.ReachRows(r.Table) {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", row.Name, row.Place, row.Change, cmp.Or(row.By, "nothing"))
		}
		table.Flush()
	}
	if l := r.Lines; l.All > 0 {
		fmt.Fprintf(b, "\nchanged lines with counters: %d; benchmarks execute %d, tests %d\n", l.All, l.Benchmark, l.Test)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(b, "note: %s: %s\n", note.Package, note.Text)
	}
	return writeNarrow(w, b)
}
