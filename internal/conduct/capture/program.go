// Package capture takes the profiles and traces of a program that was started and is under load: CPU, allocations,
// locks, heap, waits, and who holds the memory. It decides neither when nor how many: its caller does.
package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
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

// Program is a started program under load whose profiles are taken.
type Program struct {
	Spec     *spec.Parts
	Binary   *build.Binary
	Process  *subject.Process
	Probes   *probeclient.Probes
	Draft    *ledger.Draft
	Timed    *timed.Load // what its timed load showed so far
	Targets  []string    // the names of those that the load tells apart
	Load     Load
	Into     *Profiles // where they are kept
	Machine  *machine.Gauge
	CPUs     []int // that the program may use
	EveryCPU []int // that hone and the program have, together
	Warn     func(format string, args ...any)
}

// Load is the load of a start.
type Load interface {
	// Slice runs one slice of load, and waits so long for what is outstanding at its end.
	Slice(ctx context.Context, schedule load.Schedule, drain time.Duration) (load.Slice, error)
	// Run runs a stretch of load, and EndSending ends it.
	Run(ctx context.Context, g load.Stretch, each func(load.Slice)) error
	EndSending()
	// Schedule is that of the timed slices, for so long. Drain is how long their ends wait.
	Schedule(d time.Duration) load.Schedule
	Drain() time.Duration
	// FromAgents says that other machines load the program.
	FromAgents() bool
	// NeedsCPU begins to count the CPU time of what the program needs, and used says how much it was.
	NeedsCPU() (used func() time.Duration)
	// Died is why the program has ended; nil while it lives.
	Died() error
}

// Or prefers the end of the program over err, which is often only its consequence.
func (c *Program) Or(err error) error {
	if died := c.Load.Died(); died != nil {
		return died
	}
	return err
}

// Pass takes a CPU profile alone, since the others cost CPU, and what was allocated
// meanwhile.
func (c *Program) Pass(ctx context.Context, d time.Duration) error {
	c.Into.Passes++
	var cpu prof.ByProcess
	before, err := c.profile(ctx, "allocs", 0)
	if err != nil {
		return err
	}
	if _, err := c.Process.Counters(); err != nil {
		return err
	}
	clock := c.Process.CPUByProcess()
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
	if _, err := c.Process.Counters(); err != nil {
		return err
	}
	allocs, err := c.profile(ctx, "allocs", 0)
	if err != nil {
		return err
	}
	err = c.keepSince(prof.Capture{Kind: "allocs", Operations: ops, Duration: took}, before, allocs)
	if cpu == nil {
		c.Into.refused++
		return err
	}
	var covered timed.Coverage
	covered.Add(clock, c.Process.CPUByProcess(), nil, cpu.PIDs())
	c.Into.Covered.Merge(covered)
	return errors.Join(err, c.keep(prof.Capture{Kind: "cpu", Operations: did, Duration: took, Clock: covered.Read()},
		cpu))
}

// Merge adds up the captures of each kind.
func (c *Program) Merge() error {
	for kind, pieces := range c.Into.Pieces {
		whole, err := prof.MergeCaptures(pieces)
		if err != nil {
			return err
		}
		c.Into.Captures[kind] = whole
	}
	return nil
}

// Contention captures block and mutex profiles with the rates switched on for as
// long, and heap and goroutine profiles in the same stretch of load; that of leaked
// goroutines where the program has it.
func (c *Program) Contention(ctx context.Context) (err error) {
	procs, narrow, err := c.widen(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, narrow()) }()
	mutexBefore, err := c.Probes.SetRates(ctx, blockRate, func(int) int { return mutexFraction })
	if err != nil {
		return err
	}
	defer func() {
		_, restore := c.Probes.SetRates(ctx, 0, func(pid int) int { return mutexBefore[pid] })
		err = errors.Join(err, restore)
	}()
	kinds := []string{"block", "mutex", "goroutine", "heap"}
	switch leaks, err := c.Probes.HasProfile(ctx, probeclient.ProfileGoroutineLeak); {
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
		if err := sleep(ctx, c.Spec.ProfileTime/4); err != nil {
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

// Silent keeps where the goroutines of a program wait that withholds its answers, and nothing else.
func (c *Program) Silent(ctx context.Context) error {
	all, err := c.profile(ctx, "goroutine", 0)
	if err != nil {
		return err
	}
	c.Into.Begin()
	return errors.Join(c.keep(prof.Capture{Kind: "goroutine", Operations: 1}, all), c.Merge())
}

// beatless is how much an open loop's rate moves while profiles are taken, up and down.
const beatless = 0.05

// unsteady is the schedule of a run or comparison for d, without its beat. An open loop
// sends evenly, and the profiler's ticks come evenly, at multiples of the kernel's: 3,000
// requests per second and 250 ticks meet at the same place of a request for ever. So the
// rate climbs a little, around what was asked for; more would be another load.
func (c *Program) unsteady(d time.Duration) load.Schedule {
	s := c.Load.Schedule(d)
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
func (c *Program) under(ctx context.Context, do func() error) (operations, did uint64, took time.Duration,
	err error) {
	if c.Load.FromAgents() {
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
		s, err := c.Load.Slice(ctx, c.unsteady(captureSlice), 0)
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
func (c *Program) keep(piece prof.Capture, all prof.ByProcess) (err error) {
	if piece.Profile, err = all.Join(); err != nil {
		return fmt.Errorf("add up %s profiles: %w", piece.Kind, err)
	}
	piece.Start = len(c.Timed.Starts)
	n := len(c.Into.Pieces[piece.Kind])
	c.Into.Pieces[piece.Kind] = append(c.Into.Pieces[piece.Kind], piece)
	return record.AddCapture(c.Draft, n, piece)
}

// keepSince stores what was counted since an earlier capture.
func (c *Program) keepSince(piece prof.Capture, before, after prof.ByProcess) error {
	counted, err := after.Since(before)
	if err != nil {
		return fmt.Errorf("subtract %s profile: %w", piece.Kind, err)
	}
	return c.keep(piece, counted)
}

// Trace stores an execution trace of one process, if one is asked for.
func (c *Program) Trace(ctx context.Context) error {
	if c.Spec.TraceTime <= 0 {
		return nil
	}
	var data []byte
	_, _, _, err := c.under(ctx, func() (err error) {
		data, err = c.busiest().Trace(ctx, c.Spec.TraceTime)
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
