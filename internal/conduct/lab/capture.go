package lab

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
)

const (
	// captureSlice is the length of the load slices that a capture runs under; short,
	// so that the load ends soon after the capture.
	captureSlice = 50 * time.Millisecond
	// blockRate and mutexFraction are the sampling rates of the contention capture:
	// one block event per 10 us blocked on average, one mutex event in 10. Both are
	// off again before anything else is measured.
	blockRate     = 10_000
	mutexFraction = 10
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
			if wrong := c.merge(); wrong != nil {
				c.Warn("profiles incomplete: %v", wrong)
			}
		}
	}()
	kept := m.Task.times().check
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
		take func(*capturing) error
	}{
		{"the wait profile", func(c *capturing) error { return c.wait(ctx) }},
		{"the profiles of locks, heap and allocations", func(c *capturing) error {
			return errors.Join(c.contention(ctx), c.exactAllocs(ctx))
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
	if err := m.captureEach(ctx, all, func(c *capturing) error {
		return errors.Join(c.trace(ctx), c.flight(ctx))
	}); err != nil || !m.Task.Holders {
		return err
	}
	for _, c := range all {
		c.whoHolds(ctx)
	}
	return ctx.Err()
}

// leaveOut notes what the budget had no time for.
func (m *services) leaveOut(all []*capturing, what string) {
	for _, c := range all {
		c.Warn("no time left in the budget of %s for %s", units.Seconds(m.Task.Budget), what)
	}
}

// profiling is about how long the profiles of all take.
func (m *services) profiling(all []*capturing) (sum time.Duration) {
	for _, c := range all {
		sum += m.profileTime(all) * 3 / 2
		if !m.Task.NoTrace {
			sum += tracedTime(timed.BatchOf(c.timed.Samples), m.Task.Plan.Connections)
		}
	}
	return sum
}

// capturePass takes one CPU profile of each variant of a comparison after the slices of a start, until there are
// enough, and returns the time it took: the budget has kept what it takes on a quiet machine. While a gate on a
// function is open it goes on, as part of what the blocks have. Two starts of one program differ, and what they differ
// by is in the scatter of profiles only if they are of several starts.
func (m *services) capturePass(ctx context.Context, group []*start) (time.Duration, error) {
	if m.Task.ProfileTime <= 0 || m.Referee == nil || m.sameSource {
		return 0, nil
	}
	began := time.Now()
	all := m.capturings(group)
	if len(all) == 0 {
		return 0, nil
	}
	if all[0].profiles.passes >= m.passes() {
		if !m.Referee.FunctionsOpen() {
			return 0, nil
		}
		// What a gate needs beside the usual profiles is of the budget.
		return 0, m.captureEach(ctx, all, func(c *capturing) error { return c.pass(ctx, functionPass) })
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
func (m *services) due(all []*capturing) (some []*capturing) {
	for _, c := range all {
		if c.profiles.passes < m.passes() {
			some = append(some, c)
		}
	}
	return some
}

// passTime is the length of one of them.
func (m *services) passTime(all []*capturing) time.Duration {
	return m.profileTime(all) / time.Duration(m.passes())
}

// passEach takes a CPU profile of each variant.
func (m *services) passEach(ctx context.Context, all []*capturing) error {
	d := m.passTime(all)
	return m.captureEach(ctx, all, func(c *capturing) error { return c.pass(ctx, d) })
}

// longestProfile bounds how much longer than asked for the CPU profiles of a variant are, together.
const longestProfile = 30 * time.Second

// profileTime is how long the CPU profiles of a variant are together: what was asked for, or, of a run, as long as
// enough samples take. A comparison has kept time of its budget for what was asked for. The profiler misses some of the
// time (see prof.Capture.Clock).
func (m *services) profileTime(all []*capturing) time.Duration {
	asked := m.Task.ProfileTime
	if m.Referee != nil {
		return asked
	}
	const seen = 0.7 // of the CPU time, at least
	for _, c := range all {
		b := timed.BatchOf(c.timed.Samples)
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
func (m *services) captureEach(ctx context.Context, all []*capturing, step func(*capturing) error) error {
	for _, i := range m.Rand.Perm(len(all)) {
		c := all[i]
		if c.profiles.over {
			continue
		}
		if err := step(c); err != nil {
			if ctx.Err() != nil || c.died() != nil {
				return c.or(err)
			}
			c.profiles.over = true
			c.Warn("profiles incomplete: %v", err)
		}
	}
	return nil
}

// capturings are the profile passes over the starts of a group that have a probe.
func (m *services) capturings(group []*start) []*capturing {
	var all []*capturing
	everyCPU := slices.Compact(slices.Sorted(slices.Values(slices.Concat(m.env.GeneratorCPUs, m.env.SubjectCPUs))))
	for _, s := range group {
		if s.profiles.over {
			continue
		}
		probes := s.process.Probes()
		if probes == nil {
			s.profiles.over = true
			s.Warn("no profiles: the program was built without the probe")
			continue
		}
		if s.Captures == nil {
			s.Captures, s.profiles.pieces = map[string]prof.Capture{}, map[string][]prof.Capture{}
		}
		all = append(all, &capturing{start: s, probes: probes, conditions: m.Gauge, everyCPU: everyCPU})
	}
	return all
}

// capturing is the profile pass over one start.
type capturing struct {
	*start
	probes     *probeclient.Probes
	conditions *machine.Gauge
	everyCPU   []int // that hone and the program have, together
}

// pass takes a CPU profile alone, since the others cost CPU, and what was allocated
// meanwhile.
func (c *capturing) pass(ctx context.Context, d time.Duration) error {
	c.profiles.passes++
	var cpu prof.ByProcess
	before, err := c.profile(ctx, "allocs", 0)
	if err != nil {
		return err
	}
	if _, err := c.process.Counters(); err != nil {
		return err
	}
	clock := c.process.CPUByProcess()
	ops, did, took, err := c.under(ctx, func() (err error) {
		cpu, err = c.profile(ctx, "cpu", d)
		if errors.As(err, new(*probeclient.InUseError)) { // what is allocated meanwhile can be had
			return sleep(ctx, d)
		}
		return err
	})
	if err != nil {
		return err
	}
	if _, err := c.process.Counters(); err != nil {
		return err
	}
	allocs, err := c.profile(ctx, "allocs", 0)
	if err != nil {
		return err
	}
	err = c.keepSince(prof.Capture{Kind: "allocs", Operations: ops, Duration: took}, before, allocs)
	if cpu == nil {
		c.profiles.refused++
		return err
	}
	var covered timed.Coverage
	covered.Add(clock, c.process.CPUByProcess(), nil, cpu.PIDs())
	c.profiles.covered.Merge(covered)
	return errors.Join(err, c.keep(prof.Capture{Kind: "cpu", Operations: did, Duration: took, Clock: covered.Read()},
		cpu))
}

// refusedWarning says how many CPU profiles are missing since the program took one of itself; empty for none.
func (p *profiles) refusedWarning() string {
	switch p.refused {
	case 0:
		return ""
	case p.passes:
		return "profiles incomplete: hone has no CPU profile: the program takes one itself, and Go allows one at a time"
	}
	return fmt.Sprintf("profiles incomplete: %d of %d CPU profiles are missing: the program took one of itself, and there can be one at a time", p.refused, p.passes)
}

// merge adds up the captures of each kind.
func (c *capturing) merge() error {
	for kind, pieces := range c.profiles.pieces {
		whole, err := prof.MergeCaptures(pieces)
		if err != nil {
			return err
		}
		c.Captures[kind] = whole
	}
	return nil
}

// contention captures block and mutex profiles with the rates switched on for as
// long, and heap and goroutine profiles in the same stretch of load; that of leaked
// goroutines where the program has it.
func (c *capturing) contention(ctx context.Context) (err error) {
	procs, narrow, err := c.widen(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, narrow()) }()
	mutexBefore, err := c.probes.SetRates(ctx, blockRate, func(int) int { return mutexFraction })
	if err != nil {
		return err
	}
	defer func() {
		_, restore := c.probes.SetRates(ctx, 0, func(pid int) int { return mutexBefore[pid] })
		err = errors.Join(err, restore)
	}()
	kinds := []string{"block", "mutex", "goroutine", "heap"}
	switch leaks, err := c.probes.HasProfile(ctx, probeclient.ProfileGoroutineLeak); {
	case err != nil:
		return err
	case leaks:
		kinds = append(kinds, string(probeclient.ProfileGoroutineLeak))
	}
	before := map[string]prof.ByProcess{}
	for _, kind := range []string{"block", "mutex"} {
		if before[kind], err = c.profile(ctx, kind, 0); err != nil {
			return err
		}
	}
	after := map[string]prof.ByProcess{}
	_, ops, took, err := c.under(ctx, func() error {
		if err := sleep(ctx, c.task.ProfileTime/4); err != nil {
			return err
		}
		for _, kind := range kinds {
			p, err := c.profile(ctx, kind, 0)
			if err != nil {
				return err
			}
			after[kind] = p
		}
		return nil
	})
	if err != nil {
		return err
	}
	for kind, all := range after {
		piece := prof.Capture{Kind: kind, Operations: ops, Duration: took, Procs: procs}
		if since, counts := before[kind]; counts {
			err = c.keepSince(piece, since, all)
		} else {
			err = c.keep(piece, all)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// captureSilent keeps where the goroutines of a program wait that withholds its answers, for the rules that look for
// the reason. A failure is a warning: the measurement is refused for its own reason.
func (s *start) captureSilent(ctx context.Context) {
	probes := s.process.Probes()
	if probes == nil {
		return
	}
	c := &capturing{start: s, probes: probes}
	all, err := c.profile(ctx, "goroutine", 0)
	if err == nil {
		s.Captures, s.profiles.pieces = map[string]prof.Capture{}, map[string][]prof.Capture{}
		err = errors.Join(c.keep(prof.Capture{Kind: "goroutine", Operations: 1}, all), c.merge())
	}
	if err != nil {
		s.Warn("no goroutine profile of the silent program: %v", err)
	}
}

// beatless is how much an open loop's rate moves while profiles are taken, up and down.
const beatless = 0.05

// unsteady is the schedule of a run or comparison for d, without its beat. An open loop
// sends evenly, and the profiler's ticks come evenly, at multiples of the kernel's: 3,000
// requests per second and 250 ticks meet at the same place of a request for ever. So the
// rate climbs a little, around what was asked for; more would be another load.
func (c *capturing) unsteady(d time.Duration) load.Schedule {
	s := c.task.schedule(d)
	for i := range s.Stages {
		s.Stages[i].From *= 1 - beatless
		s.Stages[i].To *= 1 + beatless
	}
	return s
}

// under keeps the load up while do runs, and returns the right answers given in that
// time. The goroutine that runs do ends with it.
//
// did is the part of operations that fell in the time of do, which is shorter where a load command goes on behind it.
func (c *capturing) under(ctx context.Context, do func() error) (operations, did uint64, took time.Duration,
	err error) {
	if c.task.Agents != nil {
		return c.underAgents(ctx, do)
	}
	done := make(chan error, 1)
	began := time.Now()
	var part time.Duration // read when done has it
	go func() {
		err := do()
		part = time.Since(began)
		done <- err
	}()
	for {
		s, err := c.load(ctx, c.unsteady(captureSlice), 0)
		operations += s.Answered
		if err != nil {
			return operations, operations, 0, errors.Join(err, <-done)
		}
		select {
		case err := <-done:
			took = time.Since(began)
			return operations, c.during(operations, took, part), took, err
		default:
		}
	}
}

// keep stores a capture of all processes. The second of a kind is KIND.2.pb.gz.
func (c *capturing) keep(piece prof.Capture, all prof.ByProcess) (err error) {
	if piece.Profile, err = all.Join(); err != nil {
		return fmt.Errorf("add up %s profiles: %w", piece.Kind, err)
	}
	piece.Start = len(c.timed.Starts)
	n := len(c.profiles.pieces[piece.Kind])
	c.profiles.pieces[piece.Kind] = append(c.profiles.pieces[piece.Kind], piece)
	return record.AddCapture(c.Draft, n, piece)
}

// keepSince stores what was counted since an earlier capture.
func (c *capturing) keepSince(piece prof.Capture, before, after prof.ByProcess) error {
	counted, err := after.Since(before)
	if err != nil {
		return fmt.Errorf("subtract %s profile: %w", piece.Kind, err)
	}
	return c.keep(piece, counted)
}

// trace stores an execution trace of one process, if one is asked for.
func (c *capturing) trace(ctx context.Context) error {
	if c.task.TraceTime <= 0 {
		return nil
	}
	var data []byte
	_, _, _, err := c.under(ctx, func() (err error) {
		data, err = c.busiest().Trace(ctx, c.task.TraceTime)
		return err
	})
	if err != nil {
		return err
	}
	_, err = c.Draft.AddArtefact("trace", "trace.out", bytes.NewReader(data))
	return err
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
