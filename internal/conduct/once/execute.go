package once

import (
	"context"
	"io"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/text/fail"
)

// Runner executes programs: what all executions of a measurement have in common.
type Runner struct {
	Guard []string // argv
	Dir   string   // that programs run in
	Tmp   string   // for the sockets of probes, and directories of programs
	Args  []string // after the program's own
	// MaxTime ends an execution that takes longer; 0: no execution is ended. Grace is the time between
	// TERM and KILL; 0 takes that of package subject.
	MaxTime, Grace time.Duration
	// Hard, when cancelled, kills the program without grace.
	Hard context.Context
	// Stdout and Stderr, if not nil, get what is written by executions without profiles.
	Stdout, Stderr io.Writer
}

// Program is what is executed, under the name that errors call it.
type Program struct {
	*build.Binary
	Name string
}

// Ending is what an execution took and wrote.
type Ending struct {
	usage.Spent
	Output output.Streams
	// Warning says what it took to stop it; mostly empty.
	Warning string
}

// Execute runs the program once, to its end. The ending is nil if it could not be started;
// an execution that fails has an ending and is an error: *fail.Error of kind Subject, or that
// of ctx, which ends the program gently.
func (r Runner) Execute(ctx context.Context, p Program) (*Ending, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	started, err := r.start(ctx, p, subject.StartOptions{Output: subject.OutputOptions{Stdout: r.Stdout,
		Stderr: r.Stderr}})
	if err != nil {
		return nil, err
	}
	return r.await(ctx, p, started)
}

func (r Runner) start(ctx context.Context, p Program, o subject.StartOptions) (*subject.Process, error) {
	o.Guard, o.Dir, o.Args, o.Grace, o.DataDir = r.Guard, r.Dir, r.Args, r.Grace, r.Tmp
	started, err := subject.StartOnce(ctx, p.Binary, o)
	if err != nil && fail.ExitCode(err) == int(fail.Subject) && fail.HintOf(err) == "" {
		return nil, fail.New(fail.Subject, "%w", err).
			WithHint("hone executes the file itself, without a shell: is it built for this machine, and has a script " +
				"its first line (#!/bin/sh)?")
	}
	return started, err
}

// await waits for the end of a program, or ends it when ctx does or its time is over, and
// says what it took by then. Nothing of it is left afterwards.
func (r Runner) await(ctx context.Context, p Program, started *subject.Process) (*Ending, error) {
	var over <-chan time.Time
	if r.MaxTime > 0 {
		timer := time.NewTimer(r.MaxTime)
		defer timer.Stop()
		over = timer.C
	}
	var ended error
	select {
	case <-started.Done():
	case <-ctx.Done():
		ended = ctx.Err()
	case <-over:
		ended = fail.New(fail.Subject, "%s took longer than --set once.max-time=%v and was ended", p.Name, r.MaxTime).
			WithHint("give it more time or less to do; hone shows what it wrote with hone show")
	}
	report, err := started.Stop(r.Hard)
	e := &Ending{Output: started.Output()}
	if err != nil {
		return e, err
	}
	e.Warning = report.Warning()
	spent, failed := started.Ending()
	e.Spent = spent
	if ended != nil {
		return e, ended
	}
	return e, failed
}
