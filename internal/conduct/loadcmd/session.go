package loadcmd

import (
	"context"
	"errors"
	"regexp"
	"sync/atomic"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
	"github.com/gohone/hone/load"
)

// Options say how commands are executed. Guard must be set.
type Options struct {
	// Guard, CPUs and Grace are as in subject.StartOptions: the command is a child of a guard, so that nothing of it is
	// left, and runs on the generator's CPUs.
	Guard []string
	CPUs  []int
	Grace time.Duration
	// Dir is where the command runs.
	Dir string
	// Hard, when cancelled, kills the command without grace.
	Hard context.Context
}

// Session loads one start of a program, one execution of the command after the other. It stands where a load.Session
// stands for hone's own load. One goroutine may call its methods, and any EndSending.
type Session struct {
	command spec.LoadCommand
	options Options
	target  Target
	path    string
	ops     *regexp.Regexp // or else
	counter *counter
	total   load.Counts
	end     atomic.Bool
}

// Open finds the command. Nothing is executed yet. Errors are fail.BadInput and, without such a command,
// fail.Environment.
func Open(c spec.LoadCommand, t Target, o Options) (*Session, error) {
	c = c.WithDefaults()
	if err := check(c); err != nil {
		return nil, err
	}
	s := &Session{command: c, options: o, target: t}
	var err error
	if c.Metric != "" {
		s.counter, err = newCounter(c.Metric, t.Page, t.Dial)
	} else {
		s.ops, err = compile(c.Ops)
	}
	if err != nil {
		return nil, err
	}
	if s.path, err = find(c, o.Dir); err != nil {
		return nil, err
	}
	_, err = fill(c, t, 0)
	return s, err
}

// Run executes the command again and again until the time of the stretch is used up, at least once, and hands over a
// slice for each execution. Without an Interval it executes it once. {duration} is the Interval, or else the length of
// the schedule. An error ends it: *fail.Error with the end of what the command wrote, or ctx's.
func (s *Session) Run(ctx context.Context, g load.Stretch, each func(load.Slice)) error {
	s.end.Store(false)
	length, began := g.Schedule.Length(), time.Now()
	one := length
	if g.Interval > 0 {
		one = g.Interval
	}
	for {
		offset := time.Since(began)
		slice, err := s.execute(ctx, one)
		if err != nil {
			return err
		}
		slice.Offset = offset
		s.total.Add(slice.Counts)
		each(slice)
		// The last one may begin as long as half of it is within the stretch.
		if g.Interval == 0 || s.end.Load() || time.Since(began)+slice.Duration/2 >= length {
			return nil
		}
	}
}

// EndSending lets Run return after the execution under way.
func (s *Session) EndSending() { s.end.Store(true) }

// Slice is there for what load.Session does at its end, when it waits for answers: a command that has ended waits for
// none.
func (s *Session) Slice(context.Context, time.Duration, time.Duration) (load.Slice, error) {
	return load.Slice{}, nil
}

// Close returns the account of all executions.
func (s *Session) Close() (load.Counts, error) { return s.total, nil }

// execute runs the command once, to go on for d, and counts what it did. The slice has its operations as right answers,
// and no histograms. Its time is that of the process, start and end included.
func (s *Session) execute(ctx context.Context, d time.Duration) (load.Slice, error) {
	words, err := fill(s.command, s.target, d)
	if err != nil {
		return load.Slice{}, err
	}
	limit := s.command.Limit
	if s.command.Timed() {
		limit += d
	}
	before := 0.0
	if s.counter != nil {
		// A counter with labels, or in a map, is not there before it has counted anything.
		if before, err = s.counter.value(ctx); err != nil && !errors.Is(err, errNotThere) {
			return load.Slice{}, err
		}
	}
	began := time.Now()
	ended, err := s.run(ctx, words, limit)
	if err != nil {
		return load.Slice{}, err
	}
	n, err := s.count(ctx, ended.output, before)
	if err != nil {
		return load.Slice{}, err
	}
	return load.Slice{
		Start: began, Duration: ended.spent.Real, Connections: load.Connections{Live: s.target.Connections},
		Counts: load.Counts{Scheduled: n, Sent: n, Answered: n},
		WorkerTime: load.WorkerTime{WorkerCPU: ended.spent.CPU(),
			WorkerWall: ended.spent.Real * time.Duration(max(1, len(s.options.CPUs)))},
	}, nil
}

// ending is what one execution took and wrote.
type ending struct {
	spent  usage.Spent
	output output.Streams
}

// run executes the command to its end. Nothing of it is left when it returns.
func (s *Session) run(ctx context.Context, words []string, limit time.Duration) (ending, error) {
	p, err := subject.StartOnce(ctx, &build.Binary{
		Path: s.path, Variant: build.Variant{Name: "load", Args: words[1:]},
	}, subject.StartOptions{
		Guard: s.options.Guard, Grace: s.options.Grace, Dir: s.options.Dir,
		Resources: subject.Resources{CPUs: s.options.CPUs}, Output: subject.OutputOptions{Limit: outputLimit},
	})
	if err != nil {
		return ending{}, fail.New(fail.Or(fail.Environment, err), "start the load command: %w", err)
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	late := false
	select {
	case <-p.Done():
	case <-ctx.Done():
	case <-timer.C:
		late = true
	}
	_, stopped := p.Stop(s.options.Hard)
	e := ending{output: p.Output()}
	switch {
	case ctx.Err() != nil:
		return e, ctx.Err()
	case late:
		return e, s.fault(e.output, "did not end within %v, and was ended", limit).WithHint("%s", s.lateHint(limit))
	case stopped != nil:
		return e, stopped
	}
	if e.spent, err = p.Ending(); err != nil {
		return e, fail.New(fail.Or(fail.Environment, err), "the load command failed: %w", err).
			WithHint("start the program by hand and try: %s", shellwords.Join(words))
	}
	return e, nil
}
