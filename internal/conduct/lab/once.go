package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gohone/hone/internal/conduct/once"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
)

// OnceRequest says which programs to execute to their end.
type OnceRequest struct {
	// Variants are main packages, which are built, or programs: see once.Locate. They run in
	// Lab.WorkDir, unless Dir says otherwise.
	Common
	// Count is how many executions of a run are timed.
	Count int
	// MaxTime ends an execution that takes longer; 0 is no bound.
	MaxTime time.Duration
	// NoProfile leaves the execution with profiles out.
	NoProfile bool
	// Stdout and Stderr, if not nil, get what the timed executions write.
	Stdout, Stderr io.Writer
}

// mostExecutions bounds what a document lists.
const mostExecutions = 10_000

// Validate reports all faults of the request at once.
func (r OnceRequest) Validate() error {
	faults := r.Common.faults()
	if len(r.Variants) == 1 && (r.Count < 1 || r.Count > mostExecutions) {
		faults = append(faults, fmt.Errorf("%d executions, want 1 to %d", r.Count, mostExecutions))
	}
	if r.MaxTime < 0 {
		faults = append(faults, fmt.Errorf("most time of an execution is %v, want more than 0, or 0 for no bound", r.MaxTime))
	}
	return errors.Join(faults...)
}

// MeasureOnce executes programs to their end and stores what they took. The outcome is nil only
// if nothing was stored; otherwise it says what the ledger now holds, also beside an error:
// *fail.Error of kind Subject for a program that cannot be executed, fails or takes longer than
// it may, Interrupted when ctx was cancelled.
func (l *Lab) MeasureOnce(ctx context.Context, r OnceRequest) (*record.ExecutionsOutcome, error) {
	if err := r.Validate(); err != nil {
		return nil, fail.New(fail.BadInput, "%w", err)
	}
	var err error
	if r.Dir, err = build.FindDir(l.WorkDir, r.Dir); err != nil {
		return nil, err
	}
	m, err := l.begin(r.Common, r.question(measure.ExecutionCPU, measure.OfExecutions))
	if err != nil {
		return nil, err
	}
	defer m.end()
	all, err := m.build(ctx, 0, m.locate)
	if err != nil {
		return nil, err
	}
	m.findSameSource(ctx, all)
	sides, err := m.open(all, ledger.Run{Plan: r.plan(m.hide)})
	if err != nil {
		return nil, err
	}
	e := &jobs{measurement: m, request: r, runner: once.Runner{
		Guard: m.Guard, Dir: r.Dir, Tmp: m.tmp, Args: r.Args, MaxTime: r.MaxTime, Grace: r.Grace, Hard: m.Hard, Stdout: r.Stdout, Stderr: r.Stderr,
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
