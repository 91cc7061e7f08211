package once

import (
	"context"
	"syscall"
	"time"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/progress"
	"github.com/gohone/hone/internal/subject"
)

// execute runs the program once, to its end, and keeps what it took. An execution that
// fails is kept too, as such, and is the error.
func (m *measurement) execute(ctx context.Context, t *trial, round, turn int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := m.request
	quiet, own := m.gauge.Read(), ownCPU()
	e := Execution{Start: time.Since(m.started), Round: round, Turn: turn}
	p, err := subject.StartOnce(ctx, t.binary, subject.StartOptions{
		Guard: m.Guard, Dir: r.Dir, Args: r.Args, Grace: r.Grace, DataDir: m.tmp, Stdout: r.Stdout, Stderr: r.Stderr,
	})
	if err != nil {
		return notExecuted(err)
	}
	e.Spent, err = m.await(ctx, t, p)
	e.Conditions = m.gauge.Read().Since(quiet).WithOwn(ownCPU() - own)
	if err != nil {
		e.Failure = err.Error()
	}
	t.output = p.Output()
	t.executions = append(t.executions, e)
	return err
}

// notExecuted adds what helps to the error of a program that could not be started.
func notExecuted(err error) error {
	if fail.ExitCode(err) == int(fail.Subject) && fail.HintOf(err) == "" {
		return fail.New(fail.Subject, "%w", err).
			WithHint("hone executes the file itself, without a shell: is it built for this machine, and has a script its first line (#!/bin/sh)?")
	}
	return err
}

// await waits for the end of a program, or ends it when ctx does or its time is over, and
// says what it took by then. Nothing of it is left afterwards.
func (m *measurement) await(ctx context.Context, t *trial, p *subject.Process) (subject.Spent, error) {
	var over <-chan time.Time
	if m.request.MaxTime > 0 {
		timer := time.NewTimer(m.request.MaxTime)
		defer timer.Stop()
		over = timer.C
	}
	var ended error
	select {
	case <-p.Done():
	case <-ctx.Done():
		ended = ctx.Err()
	case <-over:
		ended = fail.New(fail.Subject, "%s took longer than --max-time %v and was ended", t.binary.Variant.Redacted(m.hide).Label(), m.request.MaxTime).
			WithHint("give it more time or less to do; hone shows what it wrote with hone show")
	}
	report, err := p.Stop(m.Hard)
	if err != nil {
		return subject.Spent{}, err
	}
	if w := report.Warning(); w != "" {
		t.warn("%s", w)
	}
	spent, failed := p.Ending()
	if ended != nil {
		return spent, ended
	}
	return spent, failed
}

// ownCPU is the CPU time of hone and of all that it waited for: its guards, and the
// programs below them.
func ownCPU() time.Duration {
	total := int64(0)
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			total += u.Utime.Nano() + u.Stime.Nano()
		}
	}
	return time.Duration(total)
}

// tick says how far the measurement is.
func (m *measurement) tick(t *trial, note string, done, total time.Duration) {
	m.Progress.Tick(progress.Tick{Variant: t.binary.Variant.Name, Done: done, Total: total, NoLoad: true, Note: note})
}
