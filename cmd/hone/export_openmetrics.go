package main

import (
	"errors"
	"io"
	"os"
	"slices"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
)

// exportOpenMetrics writes the time series of runs, and of the runs of comparisons.
func (a *commands) exportOpenMetrics(f *exportFlags, l *ledger.Ledger, wanted []ledger.Ref) (err error) {
	var files []*metrics.File
	var open []*os.File
	defer func() {
		for _, file := range open {
			err = errors.Join(err, file.Close())
		}
	}()
	var runs []string
	for _, ref := range wanted {
		if ref.Kind == ledger.KindRun {
			runs = append(runs, ref.ID)
			continue
		}
		of, err := l.Runs(ledger.RunFilter{Comparison: ref.ID, NoDoc: true})
		if err != nil {
			return err
		}
		for _, run := range of {
			runs = append(runs, run.ID)
		}
	}
	slices.Sort(runs)
	runs = slices.Compact(runs)
	for _, run := range runs {
		file, _, err := metrics.In(f.Ledger).Open(run)
		if err != nil {
			return err
		}
		open = append(open, file)
		series, err := metrics.Read(file)
		if err != nil {
			return fail.New(fail.Storage, "read metrics of run %s: %w", run, err)
		}
		files = append(files, series)
	}
	write := func(w io.Writer) error { return metrics.WriteOpenMetrics(w, files...) }
	if f.output == "-" {
		return write(a.Stdout)
	}
	if f.output == "" {
		f.output = "hone-" + wanted[0].ID + ".om"
	}
	if err := f.writeFile(write); err != nil {
		return err
	}
	return a.Print(f.JSON, struct {
		Schema string   `json:"schema"`
		File   string   `json:"file"`
		Runs   []string `json:"runs"`
	}{"hone.export-openmetrics/1", f.output, runs},
		func(w io.Writer) error { return report.ExportedSeries(w, f.output, runs) })
}
