package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/archive"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/units"
)

// Origin writes the line that says where an imported run or comparison was measured.
func Origin(w io.Writer, o ledger.Origin) error {
	o = printable.Document(o)
	_, err := fmt.Fprintf(w, "imported: measured on %s, imported on %s\n", o.Host,
		o.Imported.Local().Format(timeLayout))
	return err
}

// notExported says what an archive leaves out.
const notExported = "time series and baselines are not in the archive"

// Exported writes what hone export has written to file.
func Exported(w io.Writer, file string, s archive.Summary) error {
	file, s = printable.Document(file), printable.Document(s)
	_, err := fmt.Fprintf(w, "%s: %s; %d files of %s\nnote: %s\nnext: %s, on any machine\n",
		file, runsAndComparisons(len(s.Runs), len(s.Comparisons)), s.Files, units.Bytes(float64(s.Bytes)), notExported,
		spec.Line{"import", file})
	return err
}

// ExportedSeries writes where the time series of runs are now.
func ExportedSeries(w io.Writer, file string, runs []string) error {
	file = printable.Document(file)
	_, err := fmt.Fprintf(w,
		"%s: time series of %s\nnext: promtool tsdb create-blocks-from openmetrics %s DATA-DIRECTORY\n",
		file, units.Plural(len(runs), "run"), spec.Join([]string{file}))
	return err
}

// Imported writes what hone import has done.
func Imported(w io.Writer, done ledger.Imported) error {
	done = printable.Document(done)
	b := &strings.Builder{}
	for _, r := range done.Added {
		fmt.Fprintf(b, "imported: %s %s\n", r.Kind, r.ID)
	}
	for _, r := range done.Kept {
		fmt.Fprintf(b, "already there: %s %s\n", r.Kind, r.ID)
	}
	all := append(append([]ledger.Ref{}, done.Added...), done.Kept...)
	if len(all) > 0 {
		fmt.Fprintf(b, "next: hone show %s, hone history\n", all[0].ID)
	}
	return write(w, b)
}

func runsAndComparisons(runs, comparisons int) string {
	text := fmt.Sprintf("%d run(s)", runs)
	if comparisons > 0 {
		text += fmt.Sprintf(" and %d comparison(s)", comparisons)
	}
	return text
}
