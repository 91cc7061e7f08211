package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/gobench"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/loadtest"
	"github.com/gohone/hone/internal/report"
	"github.com/gohone/hone/internal/spec"
)

func (a *app) showCommand() *cobra.Command {
	f := &measureFlags{}
	cmd := &cobra.Command{
		Use:   "show RUN|COMPARISON",
		Short: "Show a run or a comparison of the ledger by its name or the start of it",
		Args:  cobra.ExactArgs(1),
		RunE:  func(_ *cobra.Command, args []string) error { return a.show(f, args[0]) },
	}
	f.addOutput(cmd)
	cmd.Flags().BoolVar(&f.Markdown, "markdown", false, "print a comparison as Markdown")
	return cmd
}

func (a *app) show(f *measureFlags, name string) error {
	l, err := a.readLedger(f.Ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	found, err := l.Find(name)
	if err != nil {
		return err
	}
	if found.Kind == ledger.KindRun {
		row, err := l.Run(found.ID)
		if err != nil {
			return err
		}
		return a.showRun(f, l, row)
	}
	row, err := l.Comparison(found.ID)
	if err != nil {
		return err
	}
	return a.showComparison(f, l, row)
}

func (a *app) showRun(f *measureFlags, l *ledger.Ledger, row ledger.Run) error {
	if err := a.showOrigin(f, row.Origin); err != nil {
		return err
	}
	artefacts, err := l.Artefacts(row.ID)
	if err != nil {
		return err
	}
	if keptOnly(row) && !f.JSON {
		if err := a.showKept(l, row, artefacts); err != nil {
			return err
		}
	} else if err := a.showRecord(f, l, row); err != nil || f.JSON {
		return err
	}
	for _, artefact := range artefacts {
		path, err := l.ArtefactPath(artefact)
		if err != nil {
			return err
		}
		if err := report.Artefact(a.stdout, artefact, path); err != nil {
			return err
		}
	}
	return nil
}

// showOrigin says above the text of a run or comparison that it is an imported one. JSON
// is the document as it was measured; hone history --json has the origin.
func (a *app) showOrigin(f *measureFlags, o *ledger.Origin) error {
	if o == nil || f.JSON || f.Markdown {
		return nil
	}
	return report.Origin(a.stdout, *o)
}

// showRecord writes the document of a run.
func (a *app) showRecord(f *measureFlags, l *ledger.Ledger, row ledger.Run) error {
	switch lab.SchemaOf(row.Doc) {
	case loadtest.StoredSchema:
		return a.showLoad(f, l, row)
	case lab.OnceSchema:
		return a.showOnce(f, row)
	case lab.CaptureSchema:
		var c lab.CaptureRecord
		if err := lab.Decode(row.Doc, &c, lab.CaptureSchema); err != nil {
			return err
		}
		return a.printJSON(c)
	}
	record, err := decodeRun(row)
	if err != nil {
		return err
	}
	return a.print(f.JSON, record, func(w io.Writer) error {
		record.Command = f.here(record.Command)
		return report.ShowRun(w, record, a.findings(f.Ledger, record.ID)[0])
	})
}

// here is the command line of a stored run as if it had named this ledger: the one that it named may be elsewhere now.
func (f *measureFlags) here(line spec.Line) spec.Line {
	if len(line) == 0 || f.Ledger == ".hone" {
		return line.Without("ledger")
	}
	return line.With("--ledger=" + f.Ledger)
}

func (a *app) showComparison(f *measureFlags, l *ledger.Ledger, row ledger.Comparison) error {
	if err := a.showOrigin(f, row.Origin); err != nil {
		return err
	}
	switch lab.SchemaOf(row.Doc) {
	case lab.OnceComparisonSchema:
		return a.showOnceComparison(f, l, row)
	case gobench.Schema:
		return a.showBench(f, row)
	}
	c := &lab.ComparisonRecord{Schema: lab.ComparisonSchema, ID: row.ID, Status: row.Status, Started: row.Started, Reason: row.Reason, Runs: row.Runs}
	if len(row.Doc) > 0 {
		if err := lab.Decode(row.Doc, c, lab.ComparisonSchema); err != nil {
			return err
		}
	}
	runs, err := each(row.Runs, func(id string) (lab.Record, error) {
		run, err := l.Run(id)
		if err != nil {
			return lab.Record{}, err
		}
		record, err := decodeRun(run)
		if !f.JSON && !a.isOwn(l, id) {
			record.Command = nil // no command is made of what a stranger's run says
		}
		if !f.JSON {
			record.Command = f.here(record.Command)
		}
		return record, err
	})
	if err != nil {
		return err
	}
	a.explainByFindings(f.Ledger, c)
	if f.JSON || f.Markdown {
		return a.printComparison(f, &lab.Outcome{Comparison: c, Runs: runs})
	}
	if c.Calibration != nil {
		return report.CalibratedProgram(a.stdout, c, runs)
	}
	return report.ShowComparison(a.stdout, c, runs)
}

// decodeRun is the document of a run under load, or what a run of another kind has in common with it.
func decodeRun(row ledger.Run) (lab.Record, error) { return lab.RecordOf(row, loadtest.StoredSchema) }
