package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/cmd/hone/internal/fix"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
)

func (a *commands) adviseCommand() *cobra.Command {
	f := &app.MeasureFlags{}
	cmd := &cobra.Command{
		Use:   "advise [RUN]",
		Short: "Suggest changes: costly lines, why, what removing it may save, and the command that proves it",
		Long: `advise looks at a run, the newest if you name none, with a list of rules and says what costs more than it needs to: locks, waits, garbage, set-up for
each call, small reads and writes, what grows, and settings. A finding names the line of your code that is the
reason, also where the cost arises elsewhere, such as in the collector or in a library. Findings are ranked by what
their lines cost, with all that they call; with --weigh by what their function takes of production's CPU time
(docs/production.md). What each rule looks for: hone advise --rules.

With --verify it tries settings that need no change of source, and measures each against the run's own build under the load of
the run: PGO by the run's own CPU profile, settings of the collector, GOMAXPROCS, GOEXPERIMENT (docs/tune.md).

With --try N it makes the change of finding N in a copy of your source, if the change is mechanical. It builds, vets and
tests the changed package, and compares the changed program with the program as it is. It prints the patch
with the gain, or why there is none (docs/advise.md).`,
		Example: `  hone advise
  hone advise RUN --json
  hone advise --verify RUN
  hone advise RUN --weigh PROD
  hone advise RUN --sarif hone.sarif
  hone advise --try 1 RUN`,
		Args: cobra.MaximumNArgs(1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		try, run := cmd.Flags().Changed("try"), app.OrNewest(args, 1)[0]
		if err := checkAdvise(cmd, &f.Spec, try); err != nil {
			return err
		}
		if f.JSON && f.Advise.SARIF == "-" {
			return fail.New(fail.BadInput,
				"--json and --sarif - both write to standard output").WithHint("--sarif FILE")
		}
		switch {
		case f.Advise.Rules:
			return report.Rules(a.Stdout, advice.All)
		case try:
			return fix.One(a.App, f, cmd, run)
		case f.Advise.Verify:
			return a.verifyRun(f, cmd, run)
		}
		return a.advise(&f.Spec, run)
	}
	f.Add(cmd, spec.ForAdvise)
	return cmd
}

// checkAdvise refuses flags that do not go together. try says that a finding is to be tried.
func checkAdvise(cmd *cobra.Command, s *spec.Spec, try bool) error {
	f := &s.Advise
	for _, name := range []string{"write-pgo", "force", "only"} {
		if cmd.Flags().Changed(name) && !f.Verify {
			return fail.New(fail.BadInput, "--%s without --verify", name).WithHint("hone advise --verify RUN --%s",
				name)
		}
	}
	switch {
	case f.SARIF != "" && (f.Rules || f.Verify || try):
		return fail.New(fail.BadInput, "--sarif is for the findings of a run").WithHint("hone advise RUN --sarif FILE")
	case s.Weigh != "" && (f.Rules || f.Verify || try):
		return fail.New(fail.BadInput, "--weigh is for the findings of a run").WithHint("hone advise RUN --weigh PROD")
	case f.Force && !f.WritePGO:
		return fail.New(fail.BadInput,
			"--force without --write-pgo").WithHint("hone advise --verify RUN --write-pgo --force")
	case f.Apply && !try:
		return fail.New(fail.BadInput, "--apply without --try").WithHint("hone advise --try N RUN --apply")
	case try && f.Verify:
		return fail.New(fail.BadInput,
			"--try and --verify are two measurements").WithHint("ask for one after the other")
	}
	return nil
}

func (a *commands) advise(f *spec.Spec, name string) error {
	l, err := a.ReadLedger(f.Ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	lib := a.Library(l).Stored
	v, run, err := app.ViewOf(lib, name)
	if err != nil {
		return err
	}
	if v.MeasuredAgain {
		v.Rewrites = func(rule string, at code.Place) bool {
			c, err := fix.Candidate(0, advice.Finding{Rule: rule, Place: at}, &run.Record)
			if err == nil {
				_, err = c.Change(a.Ctx, nil)
			}
			return err == nil
		}
	}
	found, err := advice.Find(v)
	if err != nil {
		return fail.New(fail.Storage, "run %s: %w", v.Run, err)
	}
	if f.Weigh != "" {
		if err := a.WeighFindings(f, found, v.Run); err != nil {
			return err
		}
	}
	if f.Advise.Save != "" {
		if err := saveView(f.Advise.Save, v); err != nil {
			return err
		}
	}
	if f.Advise.SARIF != "" {
		if err := a.keepSARIF(f.Advise.SARIF, found, v.Run, lib.Checkout(run.Record)); err != nil ||
			f.Advise.SARIF == "-" {
			return err
		}
	}
	return a.Print(f.JSON, found, func(w io.Writer) error { return report.Findings(w, found) })
}

func saveView(path string, v *facts.View) error {
	if err := outfile.Write(path, 0o644, v.Save); err != nil {
		return fail.New(fail.Or(fail.Environment, err), "write %s: %w", path, err)
	}
	return nil
}
