package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
)

func (a *commands) showCommand() *cobra.Command {
	f := &app.MeasureFlags{}
	cmd := &cobra.Command{
		Use:   "show [RUN|COMPARISON]",
		Short: "Show a run or a comparison: the newest, or the one that you name",
		Long: `show prints what is known of a run or a comparison of the ledger: the newest, or the one that you name. A name is
an id or the start of it, "last" for the newest, "last-1" for the one before it, or "baseline". All commands that take
a run know these names. With -v it lists the files that a run keeps, too.`,
		Example: "  hone show\n  hone show last-1\n  hone show RUN --json",
		Args:    cobra.MaximumNArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return a.show(f, app.OrNewest(args, 1)[0]) },
	}
	f.Add(cmd, spec.ForShow)
	return cmd
}

func (a *commands) show(f *app.MeasureFlags, name string) error {
	files := f.Verbose
	f.Verbose = true
	l, err := a.ReadLedger(f.Ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	lib := a.Library(l)
	found, err := l.Find(name)
	if err != nil {
		return err
	}
	if found.Kind == ledger.KindRun {
		if f.Receipt != "" {
			return fail.New(fail.BadInput, "--receipt: %s is one run, and a receipt is of a comparison", found.ID).
				WithHint("hone history lists the comparisons")
		}
		r, err := lib.Stored.Run(found.ID)
		if err != nil {
			return err
		}
		return a.showRun(f, lib, r, files)
	}
	c, err := lib.Stored.Comparison(found.ID)
	if err != nil {
		return err
	}
	return cmp.Or(a.showComparison(f, lib, c), a.KeepReceipt(f.Receipt, lib, found.ID))
}

// showRun shows a run; files says that what it keeps is listed, too, with digests. JSON has them always.
func (a *commands) showRun(f *app.MeasureFlags, lib *page.Library, r *stored.Run, files bool) error {
	if err := a.showOrigin(f, r.Row.Origin); err != nil {
		return err
	}
	if err := app.KeepRunCSV(f.CSV, lib, r.Row.ID); err != nil {
		return err
	}
	artefacts, err := lib.Stored.Ledger.Artefacts(r.Row.ID)
	if err != nil {
		return err
	}
	if !f.JSON {
		atHand(f, r)
	}
	if r.Kept() && !f.JSON {
		if err := a.showKept(lib.Stored.Ledger, r, artefacts); err != nil {
			return err
		}
	} else if err := a.showDocument(f, lib, r, artefacts); err != nil || f.JSON {
		return err
	}
	if !files {
		return nil
	}
	for _, artefact := range artefacts {
		path, err := lib.Stored.Ledger.ArtefactPath(artefact)
		if err != nil {
			return err
		}
		if err := report.Artefact(a.Stdout, artefact, path); err != nil {
			return err
		}
	}
	return nil
}

// showOrigin says above the text of a run or comparison that it is an imported one. JSON
// is the document as it was measured; hone history --json has the origin.
func (a *commands) showOrigin(f *app.MeasureFlags, o *ledger.Origin) error {
	if o == nil || f.JSON || f.Markdown {
		return nil
	}
	return report.Origin(a.Stdout, *o)
}

// showDocument writes the document of a run.
func (a *commands) showDocument(f *app.MeasureFlags, lib *page.Library, r *stored.Run,
	artefacts []ledger.Artefact) error {
	switch {
	case r.Load != nil:
		return a.showLoad(f, lib, r)
	case r.Captures != nil:
		return a.PrintJSON(r.Captures)
	case r.Once != nil:
		return a.printExecutions(f, lib, *r.Once)
	case f.JSON:
		return a.PrintJSON(struct {
			record.Run
			Artefacts []ledger.Artefact `json:"artefacts"`
		}{r.Record, artefacts})
	}
	return report.Run(a.Stdout, r.Record, app.Known(lib, r.Row.ID), model.Full)
}

// here is the command line of a stored run as if it had named this ledger: the one that it named may be elsewhere now.
func here(f *app.MeasureFlags, line spec.Line) spec.Line {
	if len(line) == 0 || f.Ledger == ".hone" {
		return line.Without("ledger")
	}
	return line.With("--ledger=" + f.Ledger)
}

// atHand makes the commands that are printed of a run name this ledger.
func atHand(f *app.MeasureFlags, r *stored.Run) {
	r.Record.Command = here(f, r.Record.Command)
	switch {
	case r.Once != nil:
		r.Once.Command = r.Record.Command
	case r.Load != nil:
		r.Load.Command = here(f, r.Load.Command)
	}
}

func (a *commands) showComparison(f *app.MeasureFlags, lib *page.Library, c *stored.Comparison) error {
	if err := a.showOrigin(f, c.Row.Origin); err != nil {
		return err
	}
	if c.Bisect != nil {
		return a.showBisection(f, c)
	}
	if c.Bench != nil {
		return a.showBench(f, c)
	}
	for _, r := range c.Runs {
		if f.JSON {
			break
		}
		atHand(f, r)
	}
	lib.Stored.Explain(c.Record)
	if c.OfExecutions() {
		kept := app.KeepComparisonCSV(f.CSV, model.OnceComparisonOf(c.Record, c.Executions(), model.Full))
		return cmp.Or(kept, a.showOnceComparison(f, c))
	}
	runs := c.Records()
	if err := app.KeepComparisonCSV(f.CSV, model.ComparisonOf(c.Record, runs, model.Full)); err != nil {
		return err
	}
	switch {
	case f.JSON || f.Markdown:
		return a.printComparison(f, &record.Outcome{Comparison: c.Record, Runs: runs})
	case c.Record.Calibration != nil:
		return report.CalibratedProgram(a.Stdout, c.Record, runs)
	}
	return report.Comparison(a.Stdout, c.Record, runs, model.Full)
}
