package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/subject"
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

// capture takes the profiles of each trial under the same load as the timed slices.
// A profile that cannot be had is a warning: the run is kept without it.
func (m *measurement) capture(ctx context.Context, group []*trial) error {
	var all []*capturing
	for _, t := range group {
		if t.process.ProbeSocket() == "" {
			t.warn("no profiles: the program was built without the probe")
			continue
		}
		all = append(all, &capturing{
			trial: t, probe: subject.ProbeAt(t.process.ProbeSocket()), request: &m.request,
			pieces: map[string][]prof.Capture{},
		})
	}
	m.Progress.Phase("profile", m.request.ProfileTime*3/2*time.Duration(len(all)))
	passes := max(1, min(mostPasses, int(m.request.ProfileTime/leastPass)))
	// each does a step for all of them, in an order drawn anew, and leaves out of the rest
	// those that fail.
	each := func(step func(*capturing) error) error {
		for _, i := range m.rand.Perm(len(all)) {
			c := all[i]
			if c.failed {
				continue
			}
			if err := step(c); err != nil {
				if ctx.Err() != nil || c.died() != nil {
					return c.or(err)
				}
				c.failed = true
				c.warn("profiles incomplete: %v", err)
			}
		}
		return nil
	}
	if err := each(func(c *capturing) error { return c.begin(ctx) }); err != nil {
		return err
	}
	for range passes {
		if err := each(func(c *capturing) error { return c.pass(ctx, m.request.ProfileTime/time.Duration(passes)) }); err != nil {
			return err
		}
	}
	return each(func(c *capturing) error {
		return errors.Join(c.contention(ctx), c.trace(ctx), c.flight(ctx), c.merge())
	})
}

// capturing is the profile pass over one trial.
type capturing struct {
	*trial
	probe   *subject.Probe
	request *Request
	failed  bool
	allocs  *profile.Profile // as of the last pass
	pieces  map[string][]prof.Capture
}

func (c *capturing) begin(ctx context.Context) (err error) {
	c.captures = map[string]prof.Capture{}
	c.allocs, err = c.profile(ctx, "allocs", 0)
	return err
}

// pass takes a CPU profile alone, since the others cost CPU, and what was allocated
// meanwhile.
func (c *capturing) pass(ctx context.Context, d time.Duration) error {
	var cpu *profile.Profile
	clock, err := c.process.Counters()
	if err != nil {
		return err
	}
	ops, took, err := c.under(ctx, func() (err error) {
		cpu, err = c.profile(ctx, "cpu", d)
		return err
	})
	if err != nil {
		return err
	}
	after, err := c.process.Counters()
	if err != nil {
		return err
	}
	before := c.allocs
	if c.allocs, err = c.profile(ctx, "allocs", 0); err != nil {
		return err
	}
	return errors.Join(
		c.keep(prof.Capture{Kind: "cpu", Profile: cpu, Operations: ops, Duration: took, Clock: after.Since(clock).CPU}, nil),
		c.keep(prof.Capture{Kind: "allocs", Profile: c.allocs, Operations: ops, Duration: took}, before))
}

// merge adds up the captures of each kind.
func (c *capturing) merge() error {
	for kind, pieces := range c.pieces {
		whole, err := prof.MergeCaptures(pieces)
		if err != nil {
			return err
		}
		c.captures[kind] = whole
	}
	return nil
}

// contention captures block and mutex profiles with the rates switched on for as
// long, and heap and goroutine profiles in the same stretch of load; that of leaked
// goroutines where the program has it.
func (c *capturing) contention(ctx context.Context) (err error) {
	mutexBefore, err := c.probe.SetRates(ctx, blockRate, mutexFraction)
	if err != nil {
		return err
	}
	defer func() {
		_, restore := c.probe.SetRates(ctx, 0, mutexBefore)
		err = errors.Join(err, restore)
	}()
	kinds := []string{"block", "mutex", "goroutine", "heap"}
	switch leaks, err := c.probe.HasProfile(ctx, subject.ProfileGoroutineLeak); {
	case err != nil:
		return err
	case leaks:
		kinds = append(kinds, string(subject.ProfileGoroutineLeak))
	}
	before := map[string]*profile.Profile{}
	for _, kind := range []string{"block", "mutex"} {
		if before[kind], err = c.profile(ctx, kind, 0); err != nil {
			return err
		}
	}
	after := map[string]*profile.Profile{}
	ops, took, err := c.under(ctx, func() error {
		if err := sleep(ctx, c.request.ProfileTime/4); err != nil {
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
	for kind, p := range after {
		if err := c.keep(prof.Capture{Kind: kind, Profile: p, Operations: ops, Duration: took}, before[kind]); err != nil {
			return err
		}
	}
	return nil
}

// beatless is how much an open loop's rate moves while profiles are taken, up and down.
const beatless = 0.05

// unsteady is the schedule of a run or comparison for d, without its beat. An open loop
// sends evenly, and the profiler's ticks come evenly, at multiples of the kernel's: 3,000
// requests per second and 250 ticks meet at the same place of a request for ever. So the
// rate climbs a little, around what was asked for; more would be another load.
func (c *capturing) unsteady(d time.Duration) load.Schedule {
	s := c.request.schedule(d)
	for i := range s.Stages {
		s.Stages[i].From *= 1 - beatless
		s.Stages[i].To *= 1 + beatless
	}
	return s
}

// under keeps the load up while do runs, and returns the right answers given in that
// time. The goroutine that runs do ends with it.
func (c *capturing) under(ctx context.Context, do func() error) (operations uint64, took time.Duration, err error) {
	done := make(chan error, 1)
	began := time.Now()
	go func() { done <- do() }()
	for {
		s, err := c.load(ctx, c.unsteady(captureSlice), 0)
		operations += s.Answered
		if err != nil {
			return operations, 0, errors.Join(err, <-done)
		}
		select {
		case err := <-done:
			return operations, time.Since(began), err
		default:
		}
	}
}

// keep stores a capture: the difference where before is given. The second of a kind is
// KIND.2.pb.gz.
func (c *capturing) keep(piece prof.Capture, before *profile.Profile) error {
	if before != nil {
		delta, _, err := prof.Delta(before, piece.Profile)
		if err != nil {
			return fmt.Errorf("subtract %s profile: %w", piece.Kind, err)
		}
		piece.Profile = delta
	}
	c.pieces[piece.Kind] = append(c.pieces[piece.Kind], piece)
	return storeCapture(c.draft, len(c.pieces[piece.Kind])-1, piece)
}

// trace stores an execution trace, if one is asked for.
func (c *capturing) trace(ctx context.Context) error {
	if c.request.TraceTime <= 0 {
		return nil
	}
	var data []byte
	_, _, err := c.under(ctx, func() (err error) {
		data, err = c.probe.Trace(ctx, c.request.TraceTime)
		return err
	})
	if err != nil {
		return err
	}
	_, err = c.draft.AddArtefact("trace", "trace.out", bytes.NewReader(data))
	return err
}

// profile takes a profile of a kind; d is the length of a CPU profile, 0 for the rest.
func (c *capturing) profile(ctx context.Context, kind string, d time.Duration) (*profile.Profile, error) {
	var data []byte
	var err error
	switch kind {
	case "cpu":
		data, err = c.probe.CPUProfile(ctx, d, c.request.ProfileRate)
	case "heap":
		data, err = c.probe.LiveHeap(ctx)
	default:
		data, err = c.probe.Profile(ctx, subject.ProfileKind(kind), 0)
	}
	if err != nil {
		return nil, fmt.Errorf("capture %s profile: %w", kind, err)
	}
	p, err := prof.Parse(bytes.NewReader(data), prof.Limits{})
	if err != nil {
		return nil, fmt.Errorf("read %s profile: %w", kind, err)
	}
	return p, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
