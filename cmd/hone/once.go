package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/read"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
)

// checkOnce refuses options that have no place in what is asked for.
func checkOnce(f *app.MeasureFlags, cmd *cobra.Command) error {
	var wrong []string
	set := spec.Of(cmd.Flags())
	for _, r := range set.AllGiven() {
		if !f.Once && r.Has(spec.OnlyOnce) || f.Once && !r.Has(spec.Once) {
			wrong = append(wrong, set.Written(r))
		}
	}
	switch {
	case len(wrong) == 0:
		return nil
	case !f.Once:
		return fail.New(fail.BadInput, "only with --once, for whole executions without load: %s",
			strings.Join(wrong, ", ")).
			WithHint("add --once, or leave it out")
	case cmd.Name() == "run" && slices.Contains(wrong, "--duration"):
		return fail.New(fail.BadInput, "not with --once: %s: the program says when it ends", strings.Join(wrong, ", ")).
			WithHint("--count says how often it is executed, --set once.max-time=TIME bounds each time")
	}
	return fail.New(fail.BadInput,
		"not with --once: %s: programs that end by themselves get no load, and start anew for each execution",
		strings.Join(wrong, ", ")).
		WithHint("leave it out; arguments of the program stand after --")
}

// runOnce executes one program.
func (a *commands) runOnce(f *app.MeasureFlags, cmd *cobra.Command, args []string) error {
	if err := a.onceTask(f, cmd, args, 1, 1); err != nil {
		return err
	}
	return a.ConductOnce(f, func(out *record.ExecutionsOutcome, lib *page.Library, err error) error {
		printed := a.printExecutions(f, lib, out.Runs[0])
		a.ReportOf(f, lib, out.Runs[0].ID)
		return cmp.Or(err, printed, app.KeepRunCSV(f.CSV, lib, out.Runs[0].ID))
	})
}

// compareOnce executes several in turn.
func (a *commands) compareOnce(f *app.MeasureFlags, cmd *cobra.Command, args []string) error {
	err := a.onceTask(f, cmd, args, 2, record.MostVariants)
	if err != nil {
		return err
	}
	if f.Task.Production, err = a.WeighedBy(&f.Spec); err != nil {
		return err
	}
	return a.ConductOnce(f, func(out *record.ExecutionsOutcome, lib *page.Library, err error) error {
		lib.Stored.Explain(out.Comparison)
		printed := a.printOnceComparison(f, out)
		a.ReportOf(f, lib, out.Comparison.ID)
		kept := app.KeepComparisonCSV(f.CSV, model.OnceComparisonOf(out.Comparison, out.Runs, model.Full))
		return cmp.Or(err, printed, kept, a.KeepReceipt(f.Receipt, lib, out.Comparison.ID), app.ExitOf(out.Comparison))
	})
}

// printExecutions writes the executions of a program.
func (a *commands) printExecutions(f *app.MeasureFlags, lib *page.Library, r record.Executions) error {
	return a.Print(f.JSON, r, func(w io.Writer) error { return report.Once(w, r, app.Known(lib, r.ID)) })
}

func (a *commands) printOnceComparison(f *app.MeasureFlags, out *record.ExecutionsOutcome) error {
	return a.Print(f.JSON, app.OnceDocumentOf(out), func(w io.Writer) error {
		return report.OnceComparison(w, out.Comparison, out.Runs, app.Detail(f.Output))
	})
}

// onceTask makes the task of a command line, of at least and at most so many programs.
func (a *commands) onceTask(f *app.MeasureFlags, cmd *cobra.Command, args []string, least, most int) (err error) {
	if f.Variants, f.Args, err = a.onceVariants(f, cmd, args, least, most); err != nil {
		return err
	}
	f.Seed = cmp.Or(f.Seed, app.NewSeed())
	if err = read.Gates(&f.Test, measure.OfExecutions); err != nil {
		return err
	}
	f.Task.Parts, f.Task.Command = f.Parts, app.CommandLine(cmd, a.Words)
	if f.ShowOutput {
		f.Task.Stdout, f.Task.Stderr = a.Stdout, a.Stderr
		if f.JSON { // standard output is the document's
			f.Task.Stdout = a.Stderr
		}
	}
	return nil
}

// onceVariants are the programs of a command line, and the arguments for all of them. The
// word after -- is the program where one is wanted and none named before: it stands for
// itself, as in a shell's command line, and is not cut into words once more.
func (a *commands) onceVariants(f *app.MeasureFlags, cmd *cobra.Command, args []string, least,
	most int) ([]build.Variant,
	[]string, error) {
	words, rest := app.SplitAtDash(cmd, args)
	if most == 1 && len(words) == 0 && len(rest) > 0 {
		words, rest = []string{shellwords.Join(rest[:1])}, rest[1:]
	}
	words, err := a.Named(f, words, most)
	if err != nil {
		return nil, nil, err
	}
	if n := len(words); n < least || n > most {
		want := "one program or package"
		if most > 1 {
			want = "two programs or packages, or more"
		}
		return nil, nil, fail.New(fail.BadInput, "%s --once takes %s, got %d: %q", cmd.CommandPath(), want, n, words).
			WithHint("%s", onceHint(cmd))
	}
	variants, err := f.ParseVariants(words)
	return variants, rest, err
}

func onceHint(cmd *cobra.Command) string {
	if cmd.Name() == "run" {
		return fmt.Sprintf("%s --once -- ./program its arguments", cmd.CommandPath())
	}
	return fmt.Sprintf("quote a program together with its own arguments, and put arguments for all after --: %s --once "+
		"'./program -fast' './program -slow' -- input", cmd.CommandPath())
}

func (a *commands) showOnceComparison(f *app.MeasureFlags, c *stored.Comparison) error {
	if f.Markdown {
		return fail.New(fail.BadInput, "comparison %s is of whole executions, which have no Markdown yet", c.Row.ID).
			WithHint("hone show %s, or hone show %s --json", c.Row.ID, c.Row.ID)
	}
	return a.printOnceComparison(f, &record.ExecutionsOutcome{Comparison: c.Record, Runs: c.Executions()})
}
