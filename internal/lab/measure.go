package lab

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/machine"
	"github.com/gohone/hone/internal/preflight"
	"github.com/gohone/hone/internal/protocol"
	"github.com/gohone/hone/internal/recorder"
	"github.com/gohone/hone/internal/redact"
	"github.com/gohone/hone/internal/subject"
	"github.com/gohone/hone/internal/tempdir"
)

// measurement is one call of Measure.
type measurement struct {
	*Lab
	request     Request
	hide        redact.Env // of all that is stored and printed
	tmp         string     // binaries and probe sockets; removed at the end
	arrangement Arrangement
	why         string // of the arrangement
	env         Environment
	cpuBefore   machine.CPUTimes
	wall        machine.Wall
	gauge       *machine.Gauge
	trials      []*trial
	comparison  *ledger.ComparisonDraft // nil for a run
	started     time.Time
	rand        *rand.Rand
	timed       time.Duration // timed load so far
	sizes       blockSizes
	referee     *compare.Referee   // nil for a run
	recorder    *recorder.Recorder // while metrics are recorded, else nil
	spareCPUs   []int              // that neither generator nor programs have
}

// Measure carries out the request and stores it. The outcome is nil only if nothing
// was stored; otherwise it says what the ledger now holds, also beside an error:
// *fail.Error of kind Subject for a crash, Invalid for a measurement that cannot be
// trusted, Interrupted when ctx was cancelled.
func (l *Lab) Measure(ctx context.Context, r Request) (*Outcome, error) {
	m := &measurement{Lab: l, request: r, started: time.Now(), rand: rand.New(rand.NewPCG(r.Seed, r.Seed))}
	if err := m.validate(ctx); err != nil {
		return nil, err
	}
	key, err := l.Ledger.Key()
	if err != nil {
		return nil, err
	}
	m.hide = redact.Env{Key: key, Keep: r.KeepEnv}
	temp, err := tempdir.Make()
	if err != nil {
		return nil, err
	}
	m.tmp = temp.Path
	defer temp.Remove()
	if said := subject.EndOrphans(); said != "" {
		m.Progress.Warn(said)
	}
	if err := m.build(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, fail.New(fail.Interrupted, "interrupted while building; nothing was stored")
		}
		return nil, err
	}
	restore, err := m.pin()
	if err != nil {
		return nil, err
	}
	defer restore()
	if err := m.open(); err != nil {
		return nil, err
	}
	m.cpuBefore, m.wall = machine.ReadCPUTimes(), machine.WatchWall(l.Wall)
	m.gauge = machine.OpenGauge()
	defer m.gauge.Close()
	err = interrupted(ctx, m.run(ctx))
	err = errors.Join(err, m.stopAll())
	m.endMetrics()
	return m.conclude(unjoin(err))
}

// ownFiles is what hone opens besides the connections: the ledger, the guards, pipes.
const ownFiles = 64

func (m *measurement) validate(ctx context.Context) error {
	if err := m.request.Validate(); err != nil {
		return fail.New(fail.BadInput, "%w", err)
	}
	var err error
	if m.request.Dir, err = subject.FindDir(m.WorkDir, m.request.Dir); err != nil {
		return err
	}
	if err := checkPath(m.request.Path, m.request.Target); err != nil {
		return err
	}
	m.request.Target = withPath(m.request.Target, m.request.Path)
	if m.request.Target != "" {
		target, err := protocol.Parse(m.request.Target, m.request.Protocol)
		if err != nil {
			return err
		}
		if target.Network != "tcp" {
			return fail.New(fail.BadInput, "target %s is a Unix socket, and hone watches the ports of the programs it starts", m.request.Target).
				WithHint("let the program listen on a port, or start it yourself and load it: %s",
					subject.JoinCommand([]string{"hone", "load", m.request.Target}))
		}
	}
	if err := preflight.Check(preflight.Need{Connections: len(m.request.Variants) * m.request.Plan.Connections, OtherFiles: ownFiles}); err != nil {
		return err
	}
	m.arrangement, m.why = arrange(m.request, func() error { return subject.CanIsolate(ctx, m.Guard) })
	return nil
}

// pin puts hone's own threads on the generator's CPUs and leaves the rest to the
// subjects. On systems without pinning both lists stay empty.
func (m *measurement) pin() (restore func(), err error) {
	m.env = Environment{Hone: m.Version, Description: machine.Describe()}
	allowed, err := subject.AllowedCPUs()
	generator, subjects := subject.SplitCPUs(allowed)
	if err == nil {
		restore, err = subject.PinSelf(generator)
	}
	if err != nil {
		m.Progress.Warn("CPUs not pinned: " + err.Error())
		return func() {}, nil
	}
	m.env.GeneratorCPUs, m.env.SubjectCPUs = generator, subjects
	for _, cpu := range allowed {
		if !slices.Contains(generator, cpu) && !slices.Contains(subjects, cpu) {
			m.spareCPUs = append(m.spareCPUs, cpu)
		}
	}
	m.request.Plan.CPUs = generator
	return restore, nil
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
			Package: b.Package, Commit: b.Commit, Dirty: b.Dirty, BuildID: b.BuildID, Target: redact.URL(m.request.Target),
			Plan: m.request.plan(m.request.Target, m.hide).Key(), Machine: ledger.MachineKey(m.env.Description),
		})
		if err != nil {
			return err
		}
		t.draft = draft
	}
	return nil
}

// stopAll ends whatever an error left running.
func (m *measurement) stopAll() error { return m.stop(m.trials) }

// interrupted turns the consequence of a cancelled ctx into its cause.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return fail.New(fail.Interrupted, "interrupted").WithHint("what was measured so far is kept: hone history")
	}
	return err
}

// unjoin returns the single error of a join, so that its kind decides the exit code
// and its text stands alone.
//
// Of errors with one text it leaves the first: the death of a program is noticed by all that
// deal with it.
func unjoin(err error) error {
	// Only the outermost joins: one further down belongs to the error around it.
	parts := joined(err)
	if parts == nil {
		return err
	}
	var all []error
	for _, one := range parts {
		one = unjoin(one)
		if !slices.ContainsFunc(all, func(e error) bool { return e.Error() == one.Error() }) {
			all = append(all, one)
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return errors.Join(all...)
}

// joined are the errors that errors.Join has put into err; nil for any other error.
func joined(err error) []error {
	many, ok := err.(interface{ Unwrap() []error })
	if !ok || len(many.Unwrap()) == 0 || errors.Join(many.Unwrap()...).Error() != err.Error() {
		return nil
	}
	return many.Unwrap()
}
