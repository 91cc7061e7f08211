package app

import (
	"io"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
)

// WriteFile writes a file with results, whole or not at all.
func WriteFile(name string, write func(io.Writer) error) error {
	if err := outfile.Write(name, outfile.Private, write); err != nil {
		return fail.New(fail.Storage, "write %s: %w", name,
			err).WithHint("the test has ended and its result is printed; name a file in a place with room")
	}
	return nil
}

// KeepRunCSV writes the measures of a run to a file; nothing without a name.
func KeepRunCSV(file string, lib *page.Library, id string) error {
	if file == "" || id == "" {
		return nil
	}
	r, err := lib.Stored.Run(id)
	if err != nil {
		return err
	}
	l := lib.Stored.Ledger
	return WriteFile(file, func(w io.Writer) error { return report.RunsCSV(w, []ledger.Run{r.Row}, l.Measures) })
}

// KeepComparisonCSV writes the measures of a comparison to a file; nothing without a name.
func KeepComparisonCSV(file string, m *model.Comparison) error {
	if file == "" {
		return nil
	}
	return WriteFile(file, func(w io.Writer) error { return report.ComparisonCSV(w, m) })
}

// Known are the findings of a run; nil where its profiles cannot be read: what was measured is worth showing without
// them.
func Known(lib *page.Library, run string) *advice.Findings {
	found, _ := lib.Stored.Findings(run)
	return found
}
