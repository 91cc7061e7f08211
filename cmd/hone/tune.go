package main

import (
	"cmp"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/tune"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/view/report"
)

func (a *commands) tuneCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "tune", Short: "Try settings of the Go runtime on a program, and measure each"}
	app.HoldsOthers(cmd)
	cmd.AddCommand(a.tuneGCCommand())
	return cmd
}

func (a *commands) tuneGCCommand() *cobra.Command {
	f := &app.MeasureFlags{}
	var percents []int
	var limit string
	cmd := &cobra.Command{
		Use:   "gc RUN|PACKAGE [flags] [-- ARGS...]",
		Short: "Sweep GOGC and GOMEMLIMIT: CPU time per request against memory",
		Long: `gc measures the program as it is together with the program under several values of GOGC, and under GOGC=off
with a GOMEMLIMIT. It prints CPU time per request, with its interval, and memory for each setting, and marks
the settings that no other beats in both. With --memory-limit it recommends one. If the interval of a change
covers zero, no gain was shown.

RUN is a stored run: its program is measured under its load. PACKAGE is as for hone run.`,
		Example: `  hone tune gc ./cmd/server
  hone tune gc ./cmd/server --memory-limit 512MiB --gogc 100,200,400
  hone tune gc RUN --memory-limit 512MiB`,
		RunE: func(cmd *cobra.Command, args []string) error {
			bytes, err := units.ParseBytes(limit)
			if limit != "" && err != nil {
				return fail.New(fail.BadInput, "--memory-limit: %w",
					err).WithHint("write a number with its unit: 512MiB, 2GiB or 800MB")
			}
			return a.tuneGC(f, percents, bytes, cmd, args)
		},
	}
	f.Add(cmd, spec.ForTune)
	cmd.Flags().IntSliceVar(&percents, "gogc", tune.DefaultPercents,
		"values of GOGC to try, in per cent, besides the program's own")
	cmd.Flags().StringVar(&limit, "memory-limit", "",
		"`MEMORY` that the process may take, such as 512MiB: hone recommends the setting\n"+
			"that takes least CPU time within this limit")
	return cmd
}

func (a *commands) tuneGC(f *app.MeasureFlags, percents []int, limit uint64, cmd *cobra.Command, args []string) error {
	dir, err := a.readSubject(f, cmd, args)
	if err != nil {
		return err
	}
	temp, err := tempdir.Make()
	if err != nil {
		return err
	}
	defer temp.Remove()
	var found *tuning.GCReport
	err = a.InLab(f, dir, func(l *lab.Lab) (err error) {
		found, err = tune.Trial{Lab: l, Task: f.Task}.SweepGC(a.Ctx, percents, limit, temp.Path)
		return err
	}, nil)
	if found == nil {
		return err
	}
	return cmp.Or(err, a.Print(f.JSON, found, func(w io.Writer) error { return report.GC(w, found) }))
}

// readSubject makes the request of what a command line names: a stored run or a package. workDir
// is the directory that the sources of a run refer to, empty for a package.
func (a *commands) readSubject(f *app.MeasureFlags, cmd *cobra.Command, args []string) (workDir string, err error) {
	words, rest := app.SplitAtDash(cmd, args)
	if len(words) == 1 && app.IsStored(words[0]) {
		if len(rest) > 0 {
			return "", fail.New(fail.BadInput,
				"arguments after -- with a stored run, which has its own").WithHint("name the package instead of the run")
		}
		_, workDir, err = a.Again(f, cmd, words[0])
		return workDir, err
	}
	_, err = a.ReadWords(f, cmd, args, 1, 1)
	return "", err
}
