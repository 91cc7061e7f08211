package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/view/model/bench"
	"github.com/gohone/hone/judge"
)

// fileDoubt is what files of results cannot say.
const fileDoubt = "indicative: files that were taken one after the other have whatever changed on the machine in " +
	"between in the difference;\nhone bench --vs REF measures both sides in turn"

// BenchFiles writes files of benchmark results side by side: medians, intervals, changes,
// p-values and numbers of results as benchstat has them, and what is worse.
func BenchFiles(w io.Writer, t *benchmarks.Tables) error {
	t = printable.Document(t)
	b := &strings.Builder{}
	fmt.Fprintln(b, benchFilesSentence(t))
	fmt.Fprintln(b, fileDoubt)
	for _, f := range t.Failures {
		fmt.Fprintln(b, failureWord(f)+": "+f.String())
	}
	benchGates(b, t.GateCount(), t.Gates)
	var config []string
	for _, table := range t.Tables {
		if !slices.Equal(config, table.Config) {
			config = table.Config
			fmt.Fprintf(b, "\n%s\n", strings.Join(config, "\n"))
		}
		notes := fileTable(b, t, table)
		for i, note := range notes {
			fmt.Fprintf(b, "[%d] %s\n", i+1, note)
		}
	}
	return write(w, b)
}

func failureWord(f benchmarks.FileFailure) string {
	switch {
	case f.Skipped:
		return "skipped"
	case f.Unread:
		return "not compared"
	}
	return "failed"
}

// benchFilesSentence is the outcome in one line.
func benchFilesSentence(t *benchmarks.Tables) string {
	changes, better, worse := 0, 0, t.Worse()
	for _, change := range t.Changes {
		changes++
		if change.Word == judge.Faster {
			better++
		}
	}
	text := "nothing was compared: the files have no benchmark in common"
	if changes > 0 {
		text = fmt.Sprintf("%s: %d worse and %d better by more than %.3g %% (each at level %.3g)",
			plural(changes, "comparison"), worse, better, 100*t.Delta, t.Alpha)
	}
	for _, a := range t.Apart {
		text += fmt.Sprintf("\nnot compared, because they differ in %s: %s", a.Key, strings.Join(a.Values, ", "))
	}
	return text
}

// fileTable writes one unit and returns the notes that its cells refer to.
func fileTable(b *strings.Builder, t *benchmarks.Tables, table benchmarks.Table) (notes []string) {
	mark := func(warnings []string) string {
		text := ""
		for _, w := range warnings {
			i := slices.Index(notes, w)
			if i < 0 {
				i, notes = len(notes), append(notes, w)
			}
			text += fmt.Sprintf(" [%d]", i+1)
		}
		return text
	}
	fmt.Fprintln(b)
	w := leftColumns(b)
	fmt.Fprintf(w, "%s", table.Unit)
	for i, file := range t.Files {
		fmt.Fprintf(w, "\t%s", file)
		if i > 0 {
			fmt.Fprint(w, "\tvs base\t")
		}
	}
	fmt.Fprintln(w)
	class := benchunit.ClassOf(table.Unit)
	for _, row := range table.Rows {
		fmt.Fprint(w, row.Name)
		scale := rowScale(row, class)
		for i, c := range row.Cells {
			fmt.Fprint(w, "\t")
			if c != nil {
				fmt.Fprintf(w, "%s +-%s%s", plainPrefix(scale.Format(c.Median)),
					strings.ReplaceAll(strings.TrimSpace(c.Range), "∞", "inf"), mark(c.Warnings))
			}
			if i > 0 {
				fmt.Fprint(w, changeCells(c))
			}
		}
		fmt.Fprintln(w)
	}
	if len(table.Rows) > 1 {
		fmt.Fprint(w, "geomean")
		for i, g := range table.Geo {
			fmt.Fprint(w, "\t"+geoCell(g, class)+mark(g.Warnings))
			if i > 0 && g.Ratio != nil {
				fmt.Fprintf(w, "\t%+.2f%%\t", 100*(*g.Ratio-1))
			} else if i > 0 {
				fmt.Fprint(w, "\t\t")
			}
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	return notes
}

func geoCell(g benchmarks.GeoCell, class benchunit.Class) string {
	if g.Mean == nil {
		return ""
	}
	return plainPrefix(benchunit.Scale(*g.Mean, class))
}

// changeCells are two cells: the change, and the test with the word.
func changeCells(c *benchmarks.Cell) string {
	if c == nil || c.Change == nil {
		return "\t\t"
	}
	text := "(" + c.Change.Test + ")"
	if c.Change.Word != "" {
		text += " " + bench.GoodOrBad(c.Change.Word)
	}
	return "\t" + c.Change.Delta + "\t" + text
}

// rowScale is one unit for a whole row, so that its numbers can be read side by side.
func rowScale(row benchmarks.Row, class benchunit.Class) benchunit.Scaler {
	var values []float64
	for _, c := range row.Cells {
		if c != nil {
			values = append(values, c.Median)
		}
	}
	return benchunit.CommonScale(values, class)
}

// plainPrefix writes the prefix for a millionth as people type it.
func plainPrefix(text string) string { return strings.ReplaceAll(text, "\u00b5", "u") }
