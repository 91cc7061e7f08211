package main

import (
	"cmp"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/tune"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
)

func (a *commands) upgradeCommand() *cobra.Command {
	f := &app.MeasureFlags{}
	cmd := &cobra.Command{
		Use:   "upgrade [PACKAGE] --toolchain go1.25,go1.26 [flags] [-- ARGS...]",
		Short: "Measure a program or benchmarks with other releases of Go, and say which part of a release differs",
		Long: `upgrade builds a program by each release of Go that --toolchain names, and compares them with the
first, once in each box: of --cpus, which takes several limits, or of the manifest that --like
names. The table at its end has a row for each box and release: the GOMAXPROCS that the runtime
chose, the time throttled, CPU time per request, p99, memory, and the verdicts.

go1.25 stands for the newest release of Go 1.25 on this machine; releases are downloaded where
the settings of go allow it. What cannot be had, or cannot build the program, is named.

With --bench it compares the benchmarks of packages, as hone bench does, and needs no load.

Where CPU time or peak memory of a program, or time, CPU time or bytes of a benchmark differ, the
newer release is measured again with each of its parts switched off: experiments (GOEXPERIMENT)
and changed defaults (GODEBUG), as the source of the release lists them. A line says which of them
carries the difference.

--budget is the time limit of each box, or of the benchmarks by a release, and of the parts
of a release.`,
		Example: `  hone upgrade ./cmd/server --toolchain go1.25,go1.26 --like deployment.yaml
  hone upgrade ./cmd/server --toolchain go1.24,go1.25,go1.26 --cpus 0.25,1,2 --memory 256Mi
  hone upgrade ./parse --toolchain go1.25,go1.26 --bench Parse`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.upgrade(f, cmd, args) },
	}
	f.Add(cmd, spec.ForUpgrade)
	return cmd
}

func (a *commands) upgrade(f *app.MeasureFlags, cmd *cobra.Command, args []string) error {
	toolchains, limits := strings.FieldsFunc(f.Options.Toolchain, isComma), strings.FieldsFunc(f.CPULimit, isComma)
	if len(toolchains) < 2 || len(toolchains) > record.MostVariants {
		return fail.New(fail.BadInput, "%d toolchains, want 2 to %d", len(toolchains), record.MostVariants).
			WithHint("name the one in use first: --toolchain go1.25,go1.26")
	}
	f.Options.Toolchain = ""
	if cmd.Flags().Changed("bench") {
		return a.upgradeBenchmarks(f, cmd, args, toolchains)
	}
	f.CPULimit = ""
	if _, err := a.ReadWords(f, cmd, args, 1, 1); err != nil {
		return err
	}
	given, err := app.Each(limits, func(text string) (cgroup.Limits, error) { return config.ParseLimits(text, "") })
	if err != nil {
		return err
	}
	var found *tuning.Upgrade
	err = a.InLab(f, "", func(l *lab.Lab) (err error) {
		found, err = tune.Trial{Lab: l, Task: f.Task}.Upgrade(a.Ctx, toolchains, boxesOf(f.Box, given))
		return err
	}, nil)
	return a.printUpgrade(f, found, err)
}

// upgradeBenchmarks tries the toolchains on benchmarks.
func (a *commands) upgradeBenchmarks(f *app.MeasureFlags, cmd *cobra.Command, packages, toolchains []string) error {
	if err := onlyOfBenchmarks(cmd); err != nil {
		return err
	}
	b := &benchFlags{Spec: f.Spec}
	b.Bench.Vs = "." // each comparison has its own sides
	if err := b.finish(packages, time.Now()); err != nil {
		return err
	}
	progress := a.Progress(f.Quiet)
	b.task.Progress = progress
	var err error
	if b.task.WorkDir, err = app.WorkDir(); err != nil {
		return err
	}
	found, err := tune.BenchTrial{Task: b.task}.Upgrade(a.Ctx, toolchains)
	progress.Clear()
	return a.printUpgrade(f, found, err)
}

// printUpgrade writes what was found, if anything was, and returns the error of the command.
func (a *commands) printUpgrade(f *app.MeasureFlags, found *tuning.Upgrade, err error) error {
	if found == nil {
		return err
	}
	printed := a.Print(f.JSON, found, func(w io.Writer) error { return report.Upgrade(w, found, f.Markdown) })
	return cmp.Or(err, printed, incomplete(found))
}

func isComma(r rune) bool { return r == ',' || r == ' ' }

// boxesOf are the boxes to measure in: that of the request with each of some limits of CPU time.
func boxesOf(box cgroup.Limits, cpus []cgroup.Limits) (all []cgroup.Limits) {
	for _, one := range cpus {
		box.CPUs = one.CPUs
		all = append(all, box)
	}
	if len(all) == 0 {
		all = append(all, box)
	}
	return all
}

// incomplete is the error of an upgrade of which nothing is known: too few toolchains, or no box with a verdict.
func incomplete(u *tuning.Upgrade) error {
	if len(u.Toolchains) < 2 {
		return fail.New(fail.BadInput, "%d of the toolchains can build the program, and a comparison takes two: %s: %s",
			len(u.Toolchains), u.Missing[0].Name, u.Missing[0].Reason).
			WithHint("go download and go.mod say which releases there can be: GOTOOLCHAIN=%s go version",
				u.Missing[0].Name)
	}
	for _, b := range u.Boxes {
		if b.Failure == "" {
			return nil
		}
	}
	for _, b := range u.Benchmarks {
		if b.Failure == "" {
			return nil
		}
	}
	if len(u.Boxes) == 0 {
		return fail.New(fail.Subject, "no benchmark has a result").
			WithHint("run it alone: go test -run '^$' -bench PATTERN")
	}
	return fail.New(fail.Subject, "no box has a result: %s", u.Boxes[0].Failure)
}
