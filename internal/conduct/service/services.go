package service

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/conductor"
	"github.com/gohone/hone/internal/conduct/finder"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/program/recorder"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/affinity"
	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/sys/preflight"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// Measure carries out the task and stores it. The outcome is nil only if nothing
// was stored; otherwise it says what the ledger now holds, also beside an error:
// *fail.Error of kind Subject for a crash, Invalid for a measurement that cannot be
// trusted, Interrupted when ctx was cancelled.
func Measure(ctx context.Context, l *lab.Lab, r lab.Task) (*record.Outcome, error) {
	r, err := check(l, r)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(refuseFunctions(r), checkPlanted(r)); err != nil {
		return nil, err
	}
	arrangement, why := arrange(r, func() error { return guard.CanIsolate(ctx, l.Guard) })
	begun, err := l.Begin(r, questionOf(r))
	if err != nil {
		return nil, err
	}
	defer begun.End()
	m := &services{Measurement: begun, arrangement: arrangement, why: why, slicing: slicing{slice: r.Slice, perPair: 1}}
	all, err := m.Build(ctx, 0, m.BuildProgram)
	if err != nil {
		return nil, err
	}
	m.FindSameSource(ctx, all)
	m.noteExecutables(ctx, all)
	if err := refuseGates(r.Gates, all); err != nil {
		return nil, err
	}
	if err := m.pin(); err != nil {
		return nil, err
	}
	if err := m.open(ctx, all); err != nil {
		return nil, err
	}
	if err := m.openSpans(); err != nil {
		return nil, err
	}
	err = lab.Interrupted(ctx, m.withNeeds(ctx)) // starts, slices, looks, profiles
	err = errors.Join(err, m.stop(), m.stopNeeds(), m.endSpans())
	m.endMetrics()
	return m.conclude(ctx, lab.Unjoin(err))
}

// services is a measurement of variants under load, on its way.
type services struct {
	*lab.Measurement
	arrangement record.Arrangement
	why         string // of the arrangement
	spareCPUs   []int  // that neither generator nor programs have
	sides       []*service
	order       [][]*service // of the starts of the latest block: groups that are up together
	up          []*start     // that are to be stopped
	host        *host        // of all starts
	slicing     slicing      // of the load: as the request says, until the first start has shown what serves best
	sizes       blockSizes
	timed       time.Duration // timed load so far
	ends        time.Time     // when the budget of a comparison does
	gains       map[*service]*record.GainCheck
	recorder    *recorder.Recorder // while metrics are recorded, else nil
	spans       *spanReceiver      // nil where spans are not asked for
	relinked    bool               // for the second stage, as far as that can be done
	waited      bool               // for a calm moment, before the second stage
	noMetrics   bool               // no recorder can be opened, or it has ended
}

// ownFiles is what hone opens besides the connections: the ledger, the guards, pipes.
const ownFiles = 64

// otherPort matches the templates of ports that no load goes to.
var otherPort = regexp.MustCompile(`\{(port|socket)[2-9]\}`)

// check completes a request, and refuses one that cannot be carried out.
func check(l *lab.Lab, r lab.Task) (lab.Task, error) {
	if err := r.Validate(); err != nil {
		return r, fail.New(fail.BadInput, "%w", err)
	}
	if err := cgroup.Try(r.Box); err != nil {
		return r, err
	}
	r = withinBudget(boxed(r))
	var err error
	if r.Dir, err = build.FindDir(l.WorkDir, r.Dir); err != nil {
		return r, err
	}
	if r, err = withAgents(r); err != nil {
		return r, err
	}
	if r, err = withLoadCommand(r, l.WorkDir); err != nil {
		return r, err
	}
	if err := finder.CheckPath(r.Path, r.Target); err != nil {
		return r, err
	}
	r.Target = schemes.WithPath(r.Target, r.Path)
	if other := otherPort.FindString(r.Target); other != "" {
		return r, fail.New(fail.BadInput, "target %s: %s is for arguments and environment only", redact.URL(r.Target),
			other).
			WithHint("the %s under load is {%[1]s}: write it in the target and where the program takes it, and %s "+
				"where it takes the other one",
				strings.Trim(other, "{}23456789"), other)
	}
	if r.Target != "" {
		for _, v := range r.Variants {
			t, err := finder.Parse(r.Target, r.Protocol, v)
			if err != nil {
				return r, err
			}
			if err := gate.CheckTargets(r.Gates, t.Targets()); err != nil {
				return r, err
			}
		}
	}
	return r, preflight.Check(preflight.Need{Connections: len(r.Variants) * r.Plan.Connections, OtherFiles: ownFiles})
}

// pin puts hone's own threads on the generator's CPUs and leaves the rest to the
// subjects. On systems without pinning both lists stay empty.
func (m *services) pin() error {
	allowed, err := affinity.AllowedCPUs()
	generator, subjects := affinity.SplitCPUs(allowed)
	restore := func() {}
	if err == nil {
		restore, err = affinity.PinSelf(generator)
	}
	if err != nil {
		m.Progress.Warn("CPUs not pinned: " + err.Error())
		return nil
	}
	m.Cleanup = append(m.Cleanup, restore)
	m.Env.GeneratorCPUs, m.Env.SubjectCPUs = generator, programCPUs(m.Task, allowed, subjects)
	if said := m.tightBox(); said != "" {
		m.Progress.Warn(said)
	}
	for _, cpu := range allowed {
		if !slices.Contains(generator, cpu) && !slices.Contains(subjects, cpu) {
			m.spareCPUs = append(m.spareCPUs, cpu)
		}
	}
	return nil
}

// onAllCPUs does what is not measured, such as a build, on all CPUs that hone may use. The toolchain would else have
// those of the load generator, which of two is one.
func (m *services) onAllCPUs(do func() error) error {
	if cpus := slices.Concat(m.Env.GeneratorCPUs, m.Env.SubjectCPUs, m.spareCPUs); len(cpus) > 0 {
		if restore, err := affinity.PinSelf(cpus); err == nil {
			defer restore()
		}
	}
	return do()
}

// open writes the rows of the runs, and finds out where each variant runs.
func (m *services) open(ctx context.Context, all []lab.Built) error {
	var homes []*build.Place
	for _, b := range all {
		home, err := b.Binary.Place(m.WorkDir, m.Task.Dir, m.Tmp)
		if err != nil {
			return err
		}
		homes = append(homes, home)
	}
	if err := m.makeAlike(ctx, homes); err != nil {
		return err
	}
	sides, err := m.Measurement.Open(all, ledger.Run{
		Target: redact.URL(m.Task.Target), Plan: planKey(m.Task, m.Task.Target, m.Hide).Key(),
	})
	if err != nil {
		return err
	}
	for i, s := range sides {
		m.sides = append(m.sides, &service{Side: s, home: homes[i], timed: timed.Load{Compared: len(all) > 1,
			AtOnce: m.Task.Plan.Connections * max(1, m.Task.Plan.Depth)}})
	}
	m.sizes = newBlockSizes(m.Task, m.slicing)
	return nil
}

// measure takes blocks, one after the other, until what was asked is answered: a run has
// one; a comparison goes on until its referee has seen enough.
func (m *services) measure(ctx context.Context) error {
	if err := m.plant(ctx); err != nil {
		return err
	}
	m.findReach(ctx)
	m.Question.Function = m.compareFunction
	m.Question.Earlier = func(*compare.Contender) compare.Earlier { return lab.Scattered(m.earlier(), m.Question.Gated) }
	if m.Comparison != nil {
		m.ends = time.Now().Add(m.Task.Budget)
	}
	return conductor.Conduct(ctx, m.BeginPace(1), m)
}

// newHost is the host of all starts.
func (m *services) newHost() host {
	return host{
		guard: m.Guard, workDir: m.WorkDir, spans: m.spans, tmp: m.Tmp, cpus: m.Env.SubjectCPUs,
		isolate: m.arrangement == record.Namespaces,
		grace:   m.Task.Grace, hard: m.Hard, plan: m.plan(), slicing: &m.slicing,
	}
}

// plan is the plan of the load, on hone's own CPUs.
func (m *services) plan() load.Plan {
	p := m.Task.Plan
	p.CPUs = m.Env.GeneratorCPUs
	return p
}

// targetOf is the URL that a variant was loaded at, or was to be.
func (m *services) targetOf(v *service) string { return cmp.Or(v.latest.target, m.Task.Target) }
