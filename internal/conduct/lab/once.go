package lab

import (
	"context"
	"errors"
	"fmt"

	"github.com/gohone/hone/internal/conduct/once"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
)

// mostExecutions bounds what a document lists.
const mostExecutions = 10_000

// validateOnce reports all faults of a task without load at once.
func (r Task) validateOnce() error {
	faults := r.faults()
	if len(r.Variants) == 1 && (r.Count < 1 || r.Count > mostExecutions) {
		faults = append(faults, fmt.Errorf("%d executions, want 1 to %d", r.Count, mostExecutions))
	}
	return errors.Join(faults...)
}

// MeasureOnce executes programs to their end and stores what they took. The outcome is nil only
// if nothing was stored; otherwise it says what the ledger now holds, also beside an error:
// *fail.Error of kind Subject for a program that cannot be executed, fails or takes longer than
// it may, Interrupted when ctx was cancelled.
func (l *Lab) MeasureOnce(ctx context.Context, r Task) (*record.ExecutionsOutcome, error) {
	if err := r.validateOnce(); err != nil {
		return nil, fail.New(fail.BadInput, "%w", err)
	}
	var err error
	if r.Dir, err = build.FindDir(l.WorkDir, r.Dir); err != nil {
		return nil, err
	}
	m, err := l.begin(r, r.questionOn(measure.ExecutionCPU, measure.OfExecutions))
	if err != nil {
		return nil, err
	}
	defer m.end()
	all, err := m.build(ctx, 0, m.locate)
	if err != nil {
		return nil, err
	}
	m.findSameSource(ctx, all)
	sides, err := m.open(all, ledger.Run{Plan: r.oncePlan(m.hide)})
	if err != nil {
		return nil, err
	}
	e := &jobs{measurement: m, runner: once.Runner{
		Guard: m.Guard, Dir: r.Dir, Tmp: m.tmp, Args: r.Args, MaxTime: r.MaxTime, Grace: r.Grace, Hard: m.Hard,
		Stdout: r.Stdout, Stderr: r.Stderr,
	}}
	for _, s := range sides {
		e.sides = append(e.sides, &job{side: s})
	}
	return e.conclude(interrupted(ctx, e.measure(ctx)))
}

// locate is the builder of programs that are executed: packages, or programs that are there.
func (m *measurement) locate(ctx context.Context, v build.Variant) (*build.Binary, string, error) {
	path, err := once.Locate(m.WorkDir, v.Source)
	if err != nil {
		return nil, "", err
	}
	if path != "" {
		return once.Take(v, path)
	}
	return m.buildPackage(ctx, v)
}
