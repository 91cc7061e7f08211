package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/prof/production"
)

// Cover writes how much of production a load exercises, and at most most functions of each list if most is over 0.
func Cover(w io.Writer, c *production.Coverage, most int) error {
	c = printable.Document(c)
	b := &strings.Builder{}
	of := c.ByFunction
	fmt.Fprintf(b, "this load exercises %.0f %% (%.0f ... %.0f) of production's CPU", of.Overlap, of.Low, of.High)
	missing, extra := c.Missing(most), c.Extra(most)
	if len(missing) > 0 {
		fmt.Fprintf(b, "; missing most: %s %.0f %%", missing[0].Name(), missing[0].Production-missing[0].Run)
	}
	fmt.Fprintf(b, "\nprofiles of %.0f and %.0f samples show %.0f %%; two profiles of one load of this size would show "+
		"%.0f %%\n",
		c.Production.Samples, c.Run.Samples, of.Observed, of.Ceiling)
	fmt.Fprintf(b, "by line: %.0f %% (%.0f ... %.0f)\n", c.ByLine.Overlap, c.ByLine.Low, c.ByLine.High)
	if c.Production.SampleType == wallType || c.Run.SampleType == wallType {
		fmt.Fprintf(b, "note: the sample type %s is wall time (fgprof): what waits counts, too\n", wallType)
	}
	coverList(b, "production spends more on:", missing)
	coverList(b, "the load spends more on:", extra)
	return writeNarrow(w, b)
}

// wallType is fgprof's name of its column.
const wallType = "time"

func coverList(b *strings.Builder, title string, functions []production.CoveredFunction) {
	if len(functions) == 0 {
		return
	}
	fmt.Fprintln(b, title)
	table := rightColumns(b)
	for _, f := range functions {
		at := ""
		if f.Line > 0 {
			at = fmt.Sprintf("  %s:%d", f.File, f.Line)
		}
		fmt.Fprintf(table, "%.1f %% of production\t%.1f %% of the load\t  %s%s\n", f.Production, f.Run, f.Name(), at)
	}
	table.Flush()
}
