package main

import (
	"cmp"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
)

func (a *commands) baselineCommand() *cobra.Command {
	f := &app.MeasureFlags{}
	cmd := &cobra.Command{
		Use:   "baseline",
		Short: "List the pinned runs that other runs are compared with",
		Long: `A baseline is a stored run that is pinned under a name. Instead of a run's name, write
"baseline" for the pinned run, and "baseline:NAME" for one that is pinned under NAME.`,
		Example: `  hone baseline set a1b2 --note "before the rewrite"
  hone compare baseline c3d4
  hone history --measure cpu`,
		Args: noBaselineWords,
		RunE: func(*cobra.Command, []string) error { return a.baselines(f) },
	}
	f.Add(cmd, spec.ForReading)
	cmd.AddCommand(a.baselineSetCommand(), a.baselineClearCommand())
	return cmd
}

// noBaselineWords helps those who leave out the verb.
func noBaselineWords(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	e := fail.New(fail.BadInput, "hone baseline %q: there is no such command", args[0])
	if ledger.IsName(args[0]) {
		return e.WithHint("hone baseline set %s", args[0])
	}
	return e.WithHint("hone baseline set RUN, hone baseline clear [NAME], or hone baseline for the list")
}

func (a *commands) baselines(f *app.MeasureFlags) error {
	l, err := a.ReadLedger(f.Ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	all, err := l.Baselines()
	if err != nil {
		return err
	}
	pinned := []report.PinnedRun{}
	for _, b := range all {
		r, err := l.Run(b.Run)
		if err != nil {
			return err
		}
		r.Doc = nil
		pinned = append(pinned, report.PinnedRun{Baseline: b, Of: r})
	}
	return a.Print(f.JSON, struct {
		Schema    string             `json:"schema"`
		Baselines []report.PinnedRun `json:"baselines"`
	}{"hone.baselines/1", pinned}, func(w io.Writer) error { return report.Baselines(w, pinned) })
}

func (a *commands) baselineSetCommand() *cobra.Command {
	f := &app.MeasureFlags{}
	var name, note string
	cmd := &cobra.Command{
		Use:   "set [RUN]",
		Short: "Pin a run, or the newest, as the baseline; a run pinned under that name before is unpinned",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.changeBaseline(f, "pinned", func(l *ledger.Ledger) (ledger.Baseline, error) {
				return l.SetBaseline(name, app.OrNewest(args, 1)[0], note)
			})
		},
	}
	f.Add(cmd, spec.ForReading)
	cmd.Flags().StringVar(&name, "name", ledger.DefaultBaseline, "name of the baseline, if you keep several")
	cmd.Flags().StringVar(&note, "note", "", "note for the list: why this run")
	return cmd
}

func (a *commands) baselineClearCommand() *cobra.Command {
	f := &app.MeasureFlags{}
	cmd := &cobra.Command{
		Use:   "clear [NAME]",
		Short: "Unpin a baseline; its run stays",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			name := ledger.DefaultBaseline
			if len(args) == 1 {
				name = args[0]
			}
			return a.changeBaseline(f, "cleared", func(l *ledger.Ledger) (ledger.Baseline, error) {
				return l.ClearBaseline(name)
			})
		},
	}
	f.Add(cmd, spec.ForReading)
	return cmd
}

// changeBaseline makes one change and says what it was.
func (a *commands) changeBaseline(f *app.MeasureFlags, done string,
	change func(*ledger.Ledger) (ledger.Baseline, error)) error {
	l, err := ledger.OpenExisting(f.Ledger)
	if err != nil {
		return err
	}
	l.OnNewest(a.SayNewest)
	b, err := change(l)
	if err := cmp.Or(err, l.Close()); err != nil {
		return err
	}
	return a.Print(f.JSON, struct {
		Schema string `json:"schema"`
		Done   string `json:"done"`
		ledger.Baseline
	}{"hone.baseline/1", done, b}, func(w io.Writer) error { return report.BaselineChange(w, done, b) })
}
