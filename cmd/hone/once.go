package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/once"
	"github.com/gohone/hone/internal/page"
	"github.com/gohone/hone/internal/report"
	"github.com/gohone/hone/internal/subject"
)

// onceFlags are those of run and compare for programs that end by themselves.
type onceFlags struct {
	on      bool
	count   int
	maxTime time.Duration
	show    bool
}

// add declares them; count is for a run.
func (o *onceFlags) add(cmd *cobra.Command, count bool) {
	fl := cmd.Flags()
	fl.BoolVar(&o.on, "once", false, "execute programs of any language to their end, without load; in a comparison, in turns.\nIf no program is named before --, the first word behind it is the program")
	if count {
		fl.IntVar(&o.count, "count", 1, "executions to take with --once")
	}
	fl.DurationVar(&o.maxTime, "max-time", 0, "time limit of each execution with --once (default: none)")
	fl.BoolVar(&o.show, "show-output", false, "with --once, pass on what the program writes")
}

// onceOnly are the flags that mean nothing without --once, onceToo those that it shares
// with measurements under load.
var (
	onceOnly = []string{"count", "max-time", "show-output"}
	onceToo  = []string{"once", "no-profile", "profile-rate", "toolchain", "flags", "env", "keep-env", "no-inject", "work-dir", "seed", "grace",
		"ledger", "json", "quiet", "budget", "alpha", "delta", "gate", "help"}
)

// check refuses flags that have no place in what is asked for.
func (o *onceFlags) check(cmd *cobra.Command) error {
	var wrong []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		only := slices.Contains(onceOnly, f.Name)
		if cmd.Name() == "compare" && f.Name == "duration" {
			return // another name of --budget
		}
		if !o.on && only || o.on && !only && !slices.Contains(onceToo, f.Name) {
			wrong = append(wrong, "--"+f.Name)
		}
	})
	switch {
	case len(wrong) == 0:
		return nil
	case !o.on:
		return fail.New(fail.BadInput, "only with --once, for whole executions without load: %s", strings.Join(wrong, ", ")).
			WithHint("add --once, or leave it out")
	case cmd.Name() == "run" && slices.ContainsFunc(wrong, func(w string) bool { return w == "--duration" || w == "--z" }):
		return fail.New(fail.BadInput, "not with --once: %s: the program says when it ends", strings.Join(wrong, ", ")).
			WithHint("--count says how often it is executed, --max-time bounds each time")
	}
	return fail.New(fail.BadInput, "not with --once: %s: there is no load, and every execution is a start", strings.Join(wrong, ", ")).
		WithHint("leave it out; arguments of the program stand behind --")
}

// runOnce executes one program.
func (a *app) runOnce(f *measureFlags, o *onceFlags, cmd *cobra.Command, args []string) error {
	out, err := a.measureOnce(f, o, cmd, args, 1, 1)
	if out == nil {
		return err
	}
	printed := a.print(f.json, out.Runs[0], func(w io.Writer) error { return report.Once(w, out.Runs[0], a.findings(f.ledger, out.Runs[0].ID)[0]) })
	a.reportOf(f, out.Runs[0].ID)
	return cmp.Or(err, printed)
}

// compareOnce executes several in turn.
func (a *app) compareOnce(f *measureFlags, o *onceFlags, cmd *cobra.Command, args []string) error {
	out, err := a.measureOnce(f, o, cmd, args, 2, lab.MostVariants)
	if out == nil {
		return err
	}
	printed := a.printOnceComparison(f, out)
	a.reportOf(f, out.Comparison.ID)
	return cmp.Or(err, printed, exitOf(out.Comparison))
}

func (a *app) printOnceComparison(f *measureFlags, out *lab.OnceOutcome) error {
	a.explainByFindings(f.ledger, out.Comparison)
	return a.print(f.json, onceDocumentOf(out), func(w io.Writer) error { return report.OnceComparison(w, out.Comparison, out.Runs) })
}

func onceDocumentOf(out *lab.OnceOutcome) comparisonDocument[lab.OnceRecord] {
	return comparisonDocument[lab.OnceRecord]{"hone.once-compare/1", out.Comparison, out.Runs}
}

// measureOnce carries out what a command line asks for, of at least and at most so many
// programs.
func (a *app) measureOnce(f *measureFlags, o *onceFlags, cmd *cobra.Command, args []string, least, most int) (*lab.OnceOutcome, error) {
	variants, rest, err := a.onceVariants(f, cmd, args, least, most)
	if err != nil {
		return nil, err
	}
	r := lab.OnceRequest{Common: f.request.Common, Count: o.count, MaxTime: o.maxTime, NoProfile: f.noProfile}
	r.Variants, r.Args = variants, rest
	r.Seed, r.Command = cmp.Or(r.Seed, newSeed()), commandLine(cmd, a.args)
	r.Gates, err = each(f.gates, func(text string) (compare.Gate, error) { return compare.ParseGateOf(text, once.Measures) })
	if err != nil {
		return nil, err
	}
	if o.show {
		r.Stdout, r.Stderr = a.stdout, a.stderr
		if f.json { // standard output is the document's
			r.Stdout = a.stderr
		}
	}
	return a.conductOnce(f, r)
}

// conductOnce opens the ledger, carries out the request and closes the ledger again.
func (a *app) conductOnce(f *measureFlags, r lab.OnceRequest) (*lab.OnceOutcome, error) {
	guard, dir, err := startFrom()
	if err != nil {
		return nil, err
	}
	store, err := a.openToMeasure(f.ledger)
	if err != nil {
		return nil, err
	}
	progress := a.progress(f.quiet)
	teller := tell(f.ledger, page.KindOnce, r.Variants, progress)
	l := &lab.Lab{Ledger: store, Guard: guard, WorkDir: dir, Progress: teller, Hard: a.hard, Version: version()}
	out, err := l.MeasureOnce(a.ctx, r)
	teller.End()
	progress.Clear()
	return out, errors.Join(err, store.Close())
}

// onceVariants are the programs of a command line, and the arguments for all of them. The
// word behind -- is the program where one is wanted and none named before: it stands for
// itself, as in a shell's command line, and is not cut into words once more.
func (a *app) onceVariants(f *measureFlags, cmd *cobra.Command, args []string, least, most int) ([]subject.Variant, []string, error) {
	words, rest := splitAtDash(cmd, args)
	if most == 1 && len(words) == 0 && len(rest) > 0 {
		words, rest = []string{subject.JoinCommand(rest[:1])}, rest[1:]
	}
	words, err := a.expand(words, most)
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
	variants, err := f.variants(words)
	return variants, rest, err
}

func onceHint(cmd *cobra.Command) string {
	if cmd.Name() == "run" {
		return fmt.Sprintf("%s --once -- ./program its arguments", cmd.CommandPath())
	}
	return fmt.Sprintf("quote a program together with its own arguments, and put arguments for all behind --: %s --once './program -fast' './program -slow' -- input", cmd.CommandPath())
}
