package service

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/capture"
	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/load"
)

// mostPasses is how many short CPU profiles are taken of a variant, in turns with the
// others: their scatter is the noise that differences are held against. leastPass is the
// shortest that is worth starting and stopping the profiler for.
const (
	mostPasses = 5
	leastPass  = 200 * time.Millisecond
)

// capture takes the profiles of each variant under the same load as the timed slices: what is
// left of the CPU profiles, and then the others. A profile that cannot be had is a warning:
// the run is kept without it.
func (m *services) capture(ctx context.Context, group []*start) error {
	all := m.capturings(group)
	for _, s := range group {
		s.profiled = true
	}
	m.Progress.Phase("profile", m.profiling(all))
	defer func() { // also what was taken before a failure
		for _, c := range all {
			if wrong := c.Merge(); wrong != nil {
				c.Warn("profiles incomplete: %v", wrong)
			}
		}
	}()
	kept := timesOf(m.Task).check
	for n := range m.passes() { // a failed pass counts as well: a program may never allow one
		if n > 0 && m.late(kept) {
			break // there is one of each at least
		}
		if err := m.passEach(ctx, m.due(all)); err != nil {
			return err
		}
	}
	// The traces follow each other, so that the machine is the same for all.
	for _, step := range []struct {
		what string
		take func(*capture.Program) error
	}{
		{"the wait profile", func(c *capture.Program) error { return c.WaitProfile(ctx) }},
		{"the profiles of locks, heap and allocations", func(c *capture.Program) error {
			return errors.Join(c.Contention(ctx), c.ExactAllocs(ctx))
		}},
	} {
		if m.late(kept) {
			m.leaveOut(all, step.what)
			continue
		}
		if err := m.captureEach(ctx, all, step.take); err != nil {
			return err
		}
	}
	if err := m.captureEach(ctx, all, func(c *capture.Program) error {
		return errors.Join(c.Trace(ctx), c.Flight(ctx))
	}); err != nil || !m.Task.Holders {
		return err
	}
	for _, c := range all {
		c.WhoHolds(ctx)
	}
	return ctx.Err()
}

// leaveOut notes what the budget had no time for.
func (m *services) leaveOut(all []*capture.Program, what string) {
	for _, c := range all {
		c.Warn("no time left in the budget of %s for %s", units.Seconds(m.Task.Budget), what)
	}
}

// profiling is about how long the profiles of all take.
func (m *services) profiling(all []*capture.Program) (sum time.Duration) {
	for _, c := range all {
		sum += m.profileTime(all) * 3 / 2
		if !m.Task.NoTrace {
			sum += capture.TracedTime(timed.BatchOf(c.Timed.Samples), m.Task.Plan.Connections)
		}
	}
	return sum
}

// capturePass takes one CPU profile of each variant of a comparison after the slices of a start, until there are
// enough, and returns the time it took: the budget has kept what it takes on a quiet machine. While a gate on a
// function is open it goes on, as part of what the blocks have. Two starts of one program differ, and what they differ
// by is in the scatter of profiles only if they are of several starts.
func (m *services) capturePass(ctx context.Context, group []*start) (time.Duration, error) {
	if m.Task.ProfileTime <= 0 || m.Referee == nil || m.SameSource || m.Unreached {
		return 0, nil
	}
	began := time.Now()
	all := m.capturings(group)
	if len(all) == 0 {
		return 0, nil
	}
	if all[0].Into.Passes >= m.passes() {
		if !m.Referee.FunctionsOpen() {
			return 0, nil
		}
		// What a gate needs beside the usual profiles is of the budget.
		return 0, m.captureEach(ctx, all, func(c *capture.Program) error { return c.Pass(ctx, functionPass) })
	}
	err := m.passEach(ctx, all)
	spent := time.Since(began)
	m.Referee.Exclude(min(spent, time.Duration(len(all))*m.passTime(all)))
	return spent, err
}

// passes is how many CPU profiles are taken of each variant.
func (m *services) passes() int {
	return max(1, min(mostPasses, int(m.Task.ProfileTime/leastPass)))
}

// due are those of which CPU profiles are still to be taken.
func (m *services) due(all []*capture.Program) (some []*capture.Program) {
	for _, c := range all {
		if c.Into.Passes < m.passes() {
			some = append(some, c)
		}
	}
	return some
}

// passTime is the length of one of them.
func (m *services) passTime(all []*capture.Program) time.Duration {
	return m.profileTime(all) / time.Duration(m.passes())
}

// passEach takes a CPU profile of each variant.
func (m *services) passEach(ctx context.Context, all []*capture.Program) error {
	d := m.passTime(all)
	return m.captureEach(ctx, all, func(c *capture.Program) error { return c.Pass(ctx, d) })
}

// longestProfile bounds how much longer than asked for the CPU profiles of a variant are, together.
const longestProfile = 30 * time.Second

// profileTime is how long the CPU profiles of a variant are together: what was asked for, or, of a run, as long as
// enough samples take. A comparison has kept time of its budget for what was asked for. The profiler misses some of the
// time (see prof.Capture.Clock).
func (m *services) profileTime(all []*capture.Program) time.Duration {
	asked := m.Task.ProfileTime
	if m.Referee != nil {
		return asked
	}
	const seen = 0.7 // of the CPU time, at least
	for _, c := range all {
		b := timed.BatchOf(c.Timed.Samples)
		if b.CPU <= 0 || b.Loaded <= 0 {
			continue
		}
		perSecond := seen * float64(cmp.Or(m.Task.ProfileRate, usualRate)) * float64(b.CPU) / float64(b.Loaded)
		enough := time.Duration(float64(m.Task.ProfileSamples) / perSecond * float64(time.Second))
		asked = max(asked, min(enough, longestProfile))
	}
	return asked
}

// usualRate is how often a second of CPU time the profiler takes a sample (GOROOT/src/runtime/pprof: StartCPUProfile).
const usualRate = 100

// captureEach does a step for all of them, in a new random order, and leaves out of the
// rest those that fail.
func (m *services) captureEach(ctx context.Context, all []*capture.Program, step func(*capture.Program) error) error {
	for _, i := range m.Rand.Perm(len(all)) {
		c := all[i]
		if c.Into.Over {
			continue
		}
		if err := step(c); err != nil {
			if ctx.Err() != nil || c.Load.Died() != nil {
				return c.Or(err)
			}
			c.Into.Over = true
			c.Warn("profiles incomplete: %v", err)
		}
	}
	return nil
}

// capturings are the profile passes over the starts of a group that have a probe.
func (m *services) capturings(group []*start) []*capture.Program {
	var all []*capture.Program
	everyCPU := slices.Compact(slices.Sorted(slices.Values(slices.Concat(m.Env.GeneratorCPUs, m.Env.SubjectCPUs))))
	for _, s := range group {
		if s.profiles.Over {
			continue
		}
		probes := s.process.Probes()
		if probes == nil {
			s.profiles.Over = true
			s.Warn("no profiles: the program was built without the probe")
			continue
		}
		if s.Captures == nil {
			s.profiles.Begin()
			s.Captures = s.profiles.Captures
		}
		c := s.captured(probes)
		c.Machine, c.EveryCPU = m.Gauge, everyCPU
		all = append(all, c)
	}
	return all
}

// captured is the start for what takes its profiles.
func (s *start) captured(probes *probeclient.Probes) *capture.Program {
	return &capture.Program{
		Spec: &s.task.Parts, Binary: s.Binary, Process: s.process, Probes: probes, Draft: s.Draft, Timed: &s.timed,
		Targets: s.targets, Load: startLoad{s}, Into: &s.profiles, CPUs: s.host.cpus, Warn: s.Warn,
	}
}

// startLoad is the load of a start for what takes its profiles.
type startLoad struct{ *start }

func (l startLoad) Slice(ctx context.Context, schedule load.Schedule, drain time.Duration) (load.Slice, error) {
	return l.load(ctx, schedule, drain)
}

func (l startLoad) Run(ctx context.Context, g load.Stretch, each func(load.Slice)) error {
	return l.session.Run(ctx, g, each)
}

func (l startLoad) EndSending() { l.session.EndSending() }

func (l startLoad) Schedule(d time.Duration) load.Schedule { return scheduleOf(*l.task, d) }

func (l startLoad) Drain() time.Duration { return l.drain }

func (l startLoad) FromAgents() bool { return l.task.Agents != nil }

func (l startLoad) NeedsCPU() (used func() time.Duration) {
	before := l.needsCPU(true)
	return func() time.Duration { return l.usedByNeeds(before, l.needsCPU(true)) }
}

func (l startLoad) Died() error { return l.died() }

// captureSilent keeps where the goroutines of a program wait that withholds its answers, for the rules that look for
// the reason. A failure is a warning: the measurement is refused for its own reason.
func (s *start) captureSilent(ctx context.Context) {
	probes := s.process.Probes()
	if probes == nil {
		return
	}
	err := s.captured(probes).Silent(ctx)
	s.Captures = s.profiles.Captures
	if err != nil {
		s.Warn("no goroutine profile of the silent program: %v", err)
	}
}
