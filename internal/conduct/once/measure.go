package once

import (
	"context"
	"errors"
	"fmt"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
)

// mostExecutions bounds what a document lists.
const mostExecutions = 10_000

// validate reports all faults of a task without load at once.
func validate(r lab.Task) error {
	faults := r.Faults()
	if len(r.Variants) == 1 && (r.Count < 1 || r.Count > mostExecutions) {
		faults = append(faults, fmt.Errorf("%d executions, want 1 to %d", r.Count, mostExecutions))
	}
	return errors.Join(faults...)
}

// Measure executes programs to their end and stores what they took. The outcome is nil only
// if nothing was stored; otherwise it says what the ledger now holds, also beside an error:
// *fail.Error of kind Subject for a program that cannot be executed, fails or takes longer than
// it may, Interrupted when ctx was cancelled.
func Measure(ctx context.Context, l *lab.Lab, r lab.Task) (*record.ExecutionsOutcome, error) {
	if err := validate(r); err != nil {
		return nil, fail.New(fail.BadInput, "%w", err)
	}
	var err error
	if r.Dir, err = build.FindDir(l.WorkDir, r.Dir); err != nil {
		return nil, err
	}
	m, err := l.Begin(r, r.QuestionOn(measure.ExecutionCPU, measure.OfExecutions))
	if err != nil {
		return nil, err
	}
	defer m.End()
	all, err := m.Build(ctx, 0, locate(m))
	if err != nil {
		return nil, err
	}
	m.FindSameSource(ctx, all)
	sides, err := m.Open(all, ledger.Run{Plan: planOf(r, m.Hide)})
	if err != nil {
		return nil, err
	}
	e := &jobs{Measurement: m, runner: Runner{
		Guard: m.Guard, Dir: r.Dir, Tmp: m.Tmp, Args: r.Args, MaxTime: r.MaxTime, Grace: r.Grace, Hard: m.Hard,
		Stdout: r.Stdout, Stderr: r.Stderr,
	}}
	for _, s := range sides {
		e.sides = append(e.sides, &job{Side: s})
	}
	return e.conclude(ctx, lab.Interrupted(ctx, e.measure(ctx)))
}

// locate is the builder of programs that are executed: packages, or programs that are there.
func locate(m *lab.Measurement) lab.Builder {
	return func(ctx context.Context, v build.Variant) (*build.Binary, string, error) {
		path, err := Locate(m.WorkDir, v.Source)
		if err != nil {
			return nil, "", err
		}
		if path != "" {
			return build.Take(v, path)
		}
		return m.BuildProgram(ctx, v)
	}
}
