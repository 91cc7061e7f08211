package once

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/machine"
	"github.com/gohone/hone/internal/redact"
	"github.com/gohone/hone/internal/subject"
	"github.com/gohone/hone/internal/tempdir"
	"github.com/gohone/hone/prof"
)

// measurement is one call of Measure.
type measurement struct {
	*Conductor
	request    Request
	hide       redact.Env // of all that is stored and printed
	tmp        string     // binaries and probe sockets; removed at the end
	env        Environment
	cpuBefore  machine.CPUTimes
	wall       machine.Wall
	gauge      *machine.Gauge
	trials     []*trial
	comparison *ledger.ComparisonDraft // nil for a run
	started    time.Time
	rand       *rand.Rand
	referee    *compare.Referee // nil for a run
	perRound   time.Duration    // what a round takes on average
}

// trial is one variant on its way through a measurement.
type trial struct {
	binary     *subject.Binary
	digest     string
	draft      *ledger.Draft
	executions []Execution
	output     subject.Output // of the latest
	captures   map[string]prof.Capture
	profiled   *Profiled
	warnings   []string
}

// warn notes a warning once.
func (t *trial) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(t.warnings, text) {
		t.warnings = append(t.warnings, text)
	}
}

// Measure carries out the request and stores it. The outcome is nil only if nothing was
// stored; otherwise it says what the ledger now holds, also beside an error: *fail.Error
// of kind Subject for a program that cannot be executed, fails or takes longer than it
// may, Interrupted when ctx was cancelled.
func (c *Conductor) Measure(ctx context.Context, r Request) (*Outcome, error) {
	if err := r.Validate(); err != nil {
		return nil, fail.New(fail.BadInput, "%w", err)
	}
	var err error
	if r.Dir, err = subject.FindDir(c.WorkDir, r.Dir); err != nil {
		return nil, err
	}
	m := &measurement{Conductor: c, request: r, started: time.Now(), rand: rand.New(rand.NewPCG(r.Seed, r.Seed))}
	key, err := c.Ledger.Key()
	if err != nil {
		return nil, err
	}
	m.hide = redact.Env{Key: key, Keep: r.KeepEnv}
	m.env = Environment{Hone: c.Version, Description: machine.Describe()}
	temp, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	m.tmp = temp.Path
	defer temp.Remove()
	if said := subject.EndOrphans(); said != "" {
		m.Progress.Warn(said)
	}
	if err := m.prepareAll(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, fail.New(fail.Interrupted, "interrupted while building; nothing was stored")
		}
		return nil, err
	}
	if err := m.open(); err != nil {
		return nil, err
	}
	m.cpuBefore, m.wall = machine.ReadCPUTimes(), machine.WatchWall(nil)
	m.gauge = machine.OpenGauge()
	defer m.gauge.Close()
	err = m.run(ctx)
	if err != nil && ctx.Err() != nil {
		err = fail.New(fail.Interrupted, "interrupted").WithHint("what was measured so far is kept: hone history")
	}
	return m.conclude(err)
}

// prepareAll builds what has to be built. Variants that differ in their arguments only
// share one executable.
func (m *measurement) prepareAll(ctx context.Context) error {
	for _, v := range m.request.Variants {
		t := &trial{}
		for _, other := range m.trials {
			if v.BuiltLike(other.binary.Variant) {
				b := *other.binary
				t.binary, t.digest = &b, other.digest
			}
		}
		if t.binary == nil {
			var err error
			if t.binary, t.digest, err = m.prepare(ctx, v); err != nil {
				return err
			}
		}
		t.binary.Variant = v
		for _, note := range t.binary.Notes {
			t.warn("%s", note)
		}
		m.trials = append(m.trials, t)
	}
	return nil
}

// open writes the rows of the runs, so that a crash from here on leaves a trace.
func (m *measurement) open() error {
	comparison := ""
	if len(m.trials) > 1 {
		var err error
		if m.comparison, err = m.Ledger.BeginComparison(ledger.Comparison{Started: m.started}); err != nil {
			return err
		}
		comparison = m.comparison.ID()
	}
	for _, t := range m.trials {
		b := t.binary
		draft, err := m.Ledger.BeginRun(ledger.Run{
			Comparison: comparison, Variant: b.Variant.Name, Started: m.started, Label: b.Variant.Redacted(m.hide).Label(),
			Package: b.Package, Commit: b.Commit, Dirty: b.Dirty, BuildID: b.BuildID,
			Plan: m.request.plan(m.hide), Machine: ledger.MachineKey(m.env.Description),
		})
		if err != nil {
			return err
		}
		t.draft = draft
	}
	return nil
}

// plan is what has to be equal for runs to be comparable, in words.
func (r Request) plan(hide redact.Env) string {
	text := "whole executions without load"
	args := redact.Args(r.Args)
	if len(args) > 0 {
		text += ", args " + strings.Join(args, " ")
	}
	if !slices.Equal(args, r.Args) { // what must not be stored counts by a digest
		text += ", values " + hide.Digest(strings.Join(r.Args, "\x00"))[:16]
	}
	return text
}

// run takes executions until what was asked is answered, and then the profiles.
func (m *measurement) run(ctx context.Context) error {
	if m.comparison != nil {
		if err := m.rounds(ctx); err != nil {
			return err
		}
	} else {
		m.Progress.Phase(m.phase("execute", m.trials[0], m.request.Count), 0)
		for i := range m.request.Count {
			if err := m.execute(ctx, m.trials[0], i, 0); err != nil {
				return err
			}
			m.tick(m.trials[0], "", time.Since(m.started), 0)
		}
	}
	if m.request.NoProfile {
		return nil
	}
	for _, i := range m.rand.Perm(len(m.trials)) {
		if err := m.profile(ctx, m.trials[i]); err != nil {
			return err
		}
	}
	return nil
}

func (m *measurement) phase(what string, t *trial, times int) string {
	text := strings.Join(append([]string{what, t.binary.Variant.Redacted(m.hide).Label()}, redact.Args(m.request.Args)...), " ")
	if times > 1 {
		text += fmt.Sprintf(", %d times", times)
	}
	return text
}

// conclude sums up and stores, whatever ended the measurement; nil is the regular end.
func (m *measurement) conclude(cause error) (*Outcome, error) {
	m.env.StealShare = machine.ReadCPUTimes().StealSince(m.cpuBefore)
	status, reason := statusOf(cause)
	out := &Outcome{}
	stepped := m.wall.Stepped()
	for _, t := range m.trials {
		if stepped != "" {
			t.warn("%s", stepped)
		}
		out.Runs = append(out.Runs, m.record(t, status, reason))
	}
	if m.comparison != nil {
		out.Comparison = m.compare(out, status, reason)
	}
	return out, join(cause, m.store(out))
}

// statusOf maps the end of a measurement to the status of its runs.
func statusOf(cause error) (ledger.Status, string) {
	switch {
	case cause == nil:
		return ledger.Complete, ""
	case fail.ExitCode(cause) == int(fail.Interrupted):
		return ledger.Interrupted, cause.Error()
	default:
		return ledger.Partial, cause.Error()
	}
}

// join is errors.Join that leaves a single error as it is.
func join(errs ...error) error {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}
