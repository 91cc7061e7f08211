package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/subject"
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

// capture takes the profiles of each trial under the same load as the timed slices.
// A profile that cannot be had is a warning: the run is kept without it.
func (m *measurement) capture(ctx context.Context, group []*trial) error {
	for _, t := range group {
		m.Progress.Phase("profile "+t.binary.Variant.Name, m.request.ProfileTime*3/2)
		if t.process.ProbeSocket() == "" {
			t.warn("no profiles: the program was built without the probe")
			continue
		}
		c := &capturing{trial: t, probe: subject.ProbeAt(t.process.ProbeSocket()), request: &m.request}
		if err := c.all(ctx); err != nil {
			if ctx.Err() != nil || t.died() != nil {
				return t.or(err)
			}
			t.warn("profiles incomplete: %v", err)
		}
	}
	return nil
}

// capturing is the profile pass over one trial.
type capturing struct {
	*trial
	probe   *subject.Probe
	request *Request
}

// all takes the CPU profile alone first, since the others cost CPU, then block and
// mutex with their rates on, and heap and goroutines while the load is still there.
func (c *capturing) all(ctx context.Context) error {
	c.captures = map[string]prof.Capture{}
	allocsBefore, err := c.profile(ctx, "allocs", 0)
	if err != nil {
		return err
	}
	var cpu *profile.Profile
	ops, took, err := c.under(ctx, func() (err error) {
		cpu, err = c.profile(ctx, "cpu", c.request.ProfileTime)
		return err
	})
	if err != nil {
		return err
	}
	if err := c.keep("cpu", nil, cpu, ops, took); err != nil {
		return err
	}
	allocsAfter, err := c.profile(ctx, "allocs", 0)
	if err != nil {
		return err
	}
	if err := c.keep("allocs", allocsBefore, allocsAfter, ops, took); err != nil {
		return err
	}
	return c.contention(ctx)
}

// contention captures block and mutex profiles with the rates switched on for as
// long, and heap and goroutine profiles in the same stretch of load.
func (c *capturing) contention(ctx context.Context) (err error) {
	mutexBefore, err := c.probe.SetRates(ctx, blockRate, mutexFraction)
	if err != nil {
		return err
	}
	defer func() {
		_, restore := c.probe.SetRates(ctx, 0, mutexBefore)
		err = errors.Join(err, restore)
	}()
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
		for _, kind := range []string{"block", "mutex", "goroutine", "heap"} {
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
		if err := c.keep(kind, before[kind], p, ops, took); err != nil {
			return err
		}
	}
	return nil
}

// under keeps the load up while do runs, and returns the right answers given in that
// time. The goroutine that runs do ends with it.
func (c *capturing) under(ctx context.Context, do func() error) (operations uint64, took time.Duration, err error) {
	done := make(chan error, 1)
	began := time.Now()
	go func() { done <- do() }()
	for {
		s, err := c.load(ctx, captureSlice, 0)
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

// keep stores the capture of a kind: the difference where before is given.
func (c *capturing) keep(kind string, before, after *profile.Profile, ops uint64, took time.Duration) error {
	if before != nil {
		delta, _, err := prof.Delta(before, after)
		if err != nil {
			return fmt.Errorf("subtract %s profile: %w", kind, err)
		}
		after = delta
	}
	c.captures[kind] = prof.Capture{Kind: kind, Profile: after, Operations: ops, Duration: took}
	var b bytes.Buffer
	if err := after.Write(&b); err != nil {
		return fmt.Errorf("write %s profile: %w", kind, err)
	}
	_, err := c.draft.AddArtefact("profile", kind+".pb.gz", &b)
	return err
}

// profile takes a profile of a kind; d is the length of a CPU profile, 0 for the rest.
func (c *capturing) profile(ctx context.Context, kind string, d time.Duration) (*profile.Profile, error) {
	data, err := c.probe.Profile(ctx, subject.ProfileKind(kind), d)
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
