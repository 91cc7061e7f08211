package main

import (
	"io"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
)

// keepRunCSV writes the measures of a run to a file; nothing without a name.
func keepRunCSV(file string, lib *page.Library, id string) error {
	if file == "" || id == "" {
		return nil
	}
	r, err := lib.Stored.Run(id)
	if err != nil {
		return err
	}
	l := lib.Stored.Ledger
	return writeFile(file, func(w io.Writer) error { return report.RunsCSV(w, []ledger.Run{r.Row}, l.Measures) })
}

// keepComparisonCSV writes the measures of a comparison to a file; nothing without a name.
func keepComparisonCSV(file string, m *model.Comparison) error {
	if file == "" {
		return nil
	}
	return writeFile(file, func(w io.Writer) error { return report.ComparisonCSV(w, m) })
}
