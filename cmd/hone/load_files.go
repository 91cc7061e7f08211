package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/read"
	hist "github.com/gohone/hone/internal/store/history"
	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/internal/view/web"
	"github.com/gohone/hone/internal/wire/schemes"
)

// writeLoad prints a recorded load test as text or JSON and writes the files asked for; known is what else is known of
// it.
func writeLoad(w io.Writer, o spec.Output, rec *recording.Recording, known loadtests.Document,
	detail model.Detail) error {
	s := recording.Summarize(rec)
	s.Run = known.ID
	text := func(w io.Writer) error { return writeRecording(w, rec, known, detail) }
	if o.JSON {
		text = s.WriteJSON
	}
	errs := []error{text(w)}
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{o.CSV, s.WriteTimelineCSV},
		{o.HGRM, func(w io.Writer) error {
			tally := rec.Tally()
			return recording.WriteHGRM(w, tally.Latency())
		}},
		{o.HTML, func(w io.Writer) error {
			return writeLoadPage(w, page.NamedRecording{Name: "load", Recording: rec})
		}},
	} {
		if f.name != "" {
			errs = append(errs, app.WriteFile(f.name, f.write))
		}
	}
	return cmp.Or(errs...)
}

// writeRecording writes the report on a recording; known is what else is known of its test.
func writeRecording(w io.Writer, rec *recording.Recording, known loadtests.Document, detail model.Detail) error {
	known.Summarize(rec)
	tally := rec.Tally()
	return report.Load(w, &known, tally.Latency(), detail)
}

// writeLoadPage writes recorded load tests as one file of the report's pages.
func writeLoadPage(w io.Writer, all ...page.NamedRecording) error {
	for i := range all { // files of one name, in different directories
		if slices.ContainsFunc(all[:i], func(o page.NamedRecording) bool { return o.Name == all[i].Name }) {
			all[i].Name = fmt.Sprintf("%s (%d)", all[i].Name, i+1)
		}
	}
	pages, first, err := page.LoadTests(all)
	if err != nil {
		return err
	}
	return web.WriteReport(w, web.Report{Title: "load tests", First: first, Answers: pages})
}

func (a *commands) loadReportCommand() *cobra.Command {
	f := &spec.Spec{}
	cmd := &cobra.Command{
		Use:     "report FILE [flags]",
		Short:   "Report a recorded load test again, with its conditions of failure or others",
		Example: "  hone load report result.jsonl --fail-if 'p99.9>50ms'",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			rec, err := recording.ReadFile(args[0])
			if err != nil {
				return err
			}
			limits, err := read.Thresholds(f.FailIfWords)
			if err != nil {
				return err
			}
			if limits != nil {
				rec.Final.Thresholds = loadtest.Apply(limits, rec.Header.Targets, rec.Tally())
			}
			err = writeLoad(a.Stdout, f.Output, rec, loadtests.Document{File: args[0]}, model.Full)
			return cmp.Or(err, loadtest.Verdict(rec))
		},
	}
	app.AddOptions(cmd, spec.ForLoadFile, f)
	return cmd
}

func (a *commands) loadMergeCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "merge FILE FILE... -o FILE",
		Short: "Merge recorded load tests that ran at the same time",
		Long: `merge adds load tests of one target that ran side by side, from several generators or
machines. Nothing is averaged: histograms are added, so percentiles are those of all
requests together.`,
		Example: "  hone load merge one.jsonl two.JSONl -o both.jsonl",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			if output == "" {
				return fail.New(fail.BadInput, "no file for the merged result").WithHint("name one with -o FILE")
			}
			all, err := app.Each(args, recording.ReadFile)
			if err != nil {
				return err
			}
			merged, err := recording.Merge(all...)
			if err != nil {
				return err
			}
			if err := app.WriteFile(output, merged.Write); err != nil {
				return err
			}
			return writeRecording(a.Stdout, merged, loadtests.Document{File: output}, model.Full)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "`FILE` for the merged result")
	return cmd
}

func (a *commands) loadPlotCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:     "plot FILE [FILE...] -o FILE.html",
		Short:   "Draw recorded load tests on one self-contained page",
		Example: "  hone load plot before.jsonl after.jsonl -o both.html",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if output == "" {
				return fail.New(fail.BadInput, "no file for the page").WithHint("name one with -o FILE.html")
			}
			plotted, err := app.Each(args, func(name string) (page.NamedRecording, error) {
				rec, err := recording.ReadFile(name)
				return page.NamedRecording{Name: filepath.Base(name), Recording: rec}, err
			})
			if err != nil {
				return err
			}
			return app.WriteFile(output, func(w io.Writer) error { return writeLoadPage(w, plotted...) })
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "`FILE` for the page")
	return cmd
}

// protocolList names the schemes with their examples, for a help text.
func protocolList() string {
	var b strings.Builder
	for _, s := range schemes.All {
		b.WriteString("  " + s.Example + "\n      " + s.Doc + "\n")
	}
	return b.String()
}

// showLoad writes a load test of the ledger as it was printed when it ended.
func (a *commands) showLoad(f *app.MeasureFlags, lib *page.Library, r *stored.Run) error {
	if f.JSON {
		return a.PrintJSON(r.Load)
	}
	slices, err := lib.Stored.Ledger.Slices(r.Row.ID)
	if err != nil {
		return err
	}
	latency, err := hist.Latency(slices)
	if err != nil {
		return fail.New(fail.Storage, "show run %s: %w", r.Row.ID, err).WithHint("hone ledger verify")
	}
	return report.Load(a.Stdout, r.Load, latency, model.Full)
}
