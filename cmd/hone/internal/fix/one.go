package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/tune"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/rewrite"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/judge"
)

// tryFinding rewrites the source of a run's program as its finding with that number says, in an
// overlay, and measures the rewritten program against the program as it is now, under the load of
// the run. The ledger must not be open. f has its directory, the budget and what completes the run's
// request.
func (a *commands) tryFinding(f *app.MeasureFlags, cmd *cobra.Command, name string) error {
	finding, run, err := a.findingOf(f.Ledger, name, f.Advise.Finding)
	if err != nil {
		return err
	}
	how, place, err := placeToRewrite(finding, run)
	if err != nil {
		return err
	}
	if !cmd.Flags().Changed("budget") {
		f.Budget = spec.DefaultBudget
	}
	_, workDir, err := a.again(f, cmd, name)
	if err != nil {
		return err
	}
	change, err := how.Apply(a.Ctx, optionsOf(f.Variants[0], run), place)
	if err != nil {
		return fmt.Errorf("finding %s is not rewritten: %w", finding.Rule, err)
	}
	var found *tuning.Rewritten
	err = a.InLab(f, workDir, func(l *lab.Lab) (err error) {
		found, err = tune.Trial{Lab: l, Task: f.Task}.Rewrite(a.Ctx, change, decides(finding.Measure))
		return err
	}, nil)
	if found == nil || err != nil {
		return err
	}
	found.Run, found.Rule, found.Place = run.ID, finding.Rule, finding.Place.String()
	refusal := takeOrLeave(found, change, f.Advise.Apply)
	return cmp.Or(a.Print(f.JSON, found, func(w io.Writer) error { return report.Rewritten(w, found) }), refusal)
}

// takeOrLeave writes a patch that pays, if it is to be. Other answers are an error, and so is a patch that is to be
// written and does not pay.
func takeOrLeave(found *tuning.Rewritten, change *rewrite.Change, apply bool) error {
	switch {
	case found.Different != "":
		return fail.New(fail.Invalid, "the rewritten program answers differently: nothing is proven").
			WithHint("if only bodies differ by nature, such as by time or chance, measure the run with --set answers.volatile")
	case apply && !found.Pays():
		return fail.New(fail.Undecided,
			"nothing is written: the patch was not shown to pay").WithHint("a larger --budget shows smaller gains")
	case apply:
		return found.Apply(change)
	}
	return nil
}

// findingOf is the finding of a stored run that is meant: its number, or its rule.
func (a *commands) findingOf(dir, name, which string) (advice.Finding, *record.Run, error) {
	l, err := a.ReadLedger(dir)
	if err != nil {
		return advice.Finding{}, nil, err
	}
	defer l.Close()
	v, run, err := viewOf(a.Library(l).Stored, name)
	if err != nil {
		return advice.Finding{}, nil, err
	}
	if run.Once != nil {
		return advice.Finding{}, nil, fail.New(fail.BadInput,
			"run %s is of whole executions, and --try measures under load", run.Row.ID).
			WithHint("make the change by hand and compare: hone compare --once")
	}
	found, err := advice.Find(v)
	if err != nil {
		return advice.Finding{}, nil, fail.New(fail.Storage, "run %s: %w", v.Run, err)
	}
	number, notNumber := strconv.Atoi(which)
	i := number - 1
	if notNumber != nil {
		i = slices.IndexFunc(found.Findings, func(f advice.Finding) bool { return f.Rule == which })
	}
	if i < 0 || i >= len(found.Findings) {
		return advice.Finding{}, nil, fail.New(fail.BadInput, "--try %s: run %s has no such finding, of %s", which,
			run.Row.ID, units.Plural(len(found.Findings), "finding")).
			WithHint("hone advise %s lists them", run.Row.ID)
	}
	return found.Findings[i], &run.Record, nil
}

// placeToRewrite is the rewrite for a finding, and where it applies.
func placeToRewrite(f advice.Finding, run *record.Run) (*rewrite.Rewrite, rewrite.Place, error) {
	how := rewrite.For(f.Rule)
	switch {
	case how == nil:
		return nil, rewrite.Place{}, fail.New(fail.BadInput, "finding %s (%s) has no mechanical rewrite", f.Rule,
			f.Place).WithHint("%s", f.Change)
	case f.Place.File == "":
		return nil, rewrite.Place{}, fail.New(fail.BadInput, "finding %s names no line of your source",
			f.Rule).WithHint("%s", f.Change)
	case run.Binary.Version() != "":
		return nil, rewrite.Place{}, fail.New(fail.BadInput,
			"run %s is of %s, and a rewrite is of the files as they are now", run.ID, run.Binary.Version()).
			WithHint("measure the program in its directory with hone run, and try the finding of that run")
	}
	file := filepath.FromSlash(f.Place.File)
	if inside, ok := strings.CutPrefix(f.Place.File, run.Binary.Module+"/"); ok { // as -trimpath writes it
		file = filepath.FromSlash(inside)
	}
	return how, rewrite.Place{File: file, Line: int(f.Place.Line), Function: f.Place.Function}, nil
}

// rewrites says of the findings of a run whether hone advise --try will rewrite the source as it is now.
func (a *commands) rewrites(run *record.Run) func(rule string, at code.Place) bool {
	return func(rule string, at code.Place) bool {
		how, place, err := placeToRewrite(advice.Finding{Rule: rule, Place: at}, run)
		if err != nil {
			return false
		}
		_, err = how.Apply(a.Ctx, optionsOf(run.Binary.Variant, run), place)
		return err == nil
	}
}

// optionsOf are those of the build of a run's variant.
func optionsOf(v build.Variant, run *record.Run) rewrite.Options {
	return rewrite.Options{Module: build.ModuleRoot(run.Binary.Dir), Env: build.Env(v), Flags: v.BuildFlags}
}

// decides is the measure that a finding is about.
func decides(m advice.Measure) judge.Measure {
	key := map[advice.Measure]string{advice.Latency: "p50", advice.Tail: "p99", advice.Memory: measure.Resident.Key}[m]
	i := slices.IndexFunc(measure.All, func(c judge.Measure) bool { return c.Key == key })
	if i < 0 {
		return measure.CPU
	}
	return measure.All[i]
}
