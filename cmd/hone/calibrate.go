package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
)

func (a *commands) calibrateCommand() *cobra.Command {
	f := &app.MeasureFlags{}
	cmd := &cobra.Command{
		Use:   "calibrate [PACKAGE] [flags] [-- ARGS...]",
		Short: "Find the smallest change of a program that hone can detect on this machine",
		Long: `calibrate compares a program with itself, under the load that hone compare will use,
for the whole of --budget. From these starts it simulates comparisons of 15, 30,
60 and 120 s, and prints the smallest change of each measure that they show in 4 of 5 cases,
how often equal variants are called different, and gates that can pass where nothing changed.

The result stays in the ledger. hone compare quotes it when a gate asks for more than this
machine can show.

PACKAGE is as for hone run; without it hone takes the subject of hone.yaml.`,
		Example: `  hone calibrate ./cmd/server
  hone calibrate ./cmd/server --target http://127.0.0.1:{port}/ -c 50 --budget 10m -- -addr 127.0.0.1:{port}`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.calibrateProgram(f, cmd, args) },
	}
	f.Add(cmd, spec.ForCalibrate)
	return cmd
}

func (a *commands) calibrateProgram(f *app.MeasureFlags, cmd *cobra.Command, args []string) error {
	spec.Of(cmd.Flags()).Keep("budget") // that of a plan is for comparisons
	f.Task.Calibrate, f.NoProfile, f.Twice = true, true, true
	if _, err := a.ReadWords(f, cmd, args, 1, 1); err != nil {
		return err
	}
	return a.Measure(f, func(out *record.Outcome, _ *page.Library, err error) error {
		if err := cmp.Or(err, a.printCalibration(f, out)); err != nil {
			return err
		}
		if c := out.Comparison; c.Calibration == nil {
			return fail.New(fail.Undecided, "too few starts (%d) within %v to say anything about other comparisons",
				c.Blocks, c.Budget).
				WithHint("raise --budget (default %v)", spec.DefaultCalibration)
		}
		return nil
	})
}

func (a *commands) printCalibration(f *app.MeasureFlags, out *record.Outcome) error {
	if f.JSON {
		return a.PrintJSON(app.DocumentOf(out))
	}
	return report.CalibratedProgram(a.Stdout, out.Comparison, out.Runs)
}
