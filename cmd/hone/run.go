package main

import (
	"cmp"
	"io"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/report"
)

func (a *commands) runCommand() *cobra.Command {
	f := &app.MeasureFlags{}
	cmd := &cobra.Command{
		Use:   "run [PACKAGE | FILE.go...] [flags] [-- ARGS...]",
		Short: "Build, start, load and profile one program, and store the run",
		Long: `run builds a main package, starts it with a probe that needs no change of its
source, loads it, captures its profiles and keeps everything in the ledger.

PACKAGE is a directory, an import path, Go files as for go run, an executable, a released version as
for go install (example.com/app/cmd/server@v1.2.0), or ref:dir for a git
ref: main:./dir begins in this directory, main:dir in the root of the repository. Write its
own arguments in the same quoted word: './cmd/server -fast'. PACKAGE may also be a variant of hone.yaml; without
PACKAGE hone runs the subject of hone.yaml.

The program runs in this directory, or, at a git ref, in a checkout with the files that git
tracks; --work-dir names another directory. {port} in arguments, environment and target
stands for a free port, {socket} for the path of a Unix socket. In arguments and environment {port2} stands for
another port, and {dir} for a directory that is empty at each start and removed after it.

With --once it executes a program to its end, without load, and says what that took:
user, system and real time, and the largest resident set.`,
		Example: `  hone run ./cmd/server
  hone run main:./cmd/server
  hone run main.go routes.go -- -addr 127.0.0.1:{port}
  hone run --once -- ./prog its arguments
  hone run --once ./cmd/prog --count 10 -- its arguments
  hone run './cmd/server -mode fast' --target http://127.0.0.1:{port}/ -c 50 -d 20s -- -addr 127.0.0.1:{port}`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkOnce(f, cmd); err != nil {
				return err
			}
			if f.Once {
				return a.runOnce(f, cmd, args)
			}
			return a.run(f, cmd, args)
		},
	}
	f.Add(cmd, spec.ForRun)
	return cmd
}

func (a *commands) run(f *app.MeasureFlags, cmd *cobra.Command, args []string) error {
	if _, err := a.ReadWords(f, cmd, args, 1, 1); err != nil {
		return err
	}
	return a.Measure(f, func(out *record.Outcome, lib *page.Library, err error) error {
		r := out.Runs[0]
		printed := a.Print(f.JSON, r, func(w io.Writer) error {
			return report.Run(w, r, app.Known(lib, r.ID), app.Detail(f.Output))
		})
		if log := f.Asked.Fit; log != nil {
			a.Say(f.Quiet, log.After(r.Counts.Answered+r.Counts.Failed, r.Counts.BytesReceived))
		}
		a.ReportOf(f, lib, r.ID)
		return cmp.Or(err, printed, app.KeepRunCSV(f.CSV, lib, r.ID), loadtest.Broken(r.Thresholds))
	})
}
