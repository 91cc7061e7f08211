package load

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Session holds the connections of a plan. Its methods may be called from several
// goroutines; slices run one after the other.
type Session struct {
	plan    Plan
	engines []engine
	redial  *redialer
	ended   sync.WaitGroup // the engines' goroutines, ended by Close
	notice  chan struct{}  // a shard has fallen silent
	closing chan struct{}  // closed by Close

	slicing sync.Mutex // held while a slice runs

	mu     sync.Mutex
	flows  Counts // of all reports so far; Unsent holds the dropped requests
	levels Counts // Unsent and Unanswered at the last report
	closed bool
}

// ErrClosed is what the methods of a closed Session return.
var ErrClosed = errors.New("session is closed")

// Open dials all connections of the plan and starts the event loops, which wait for
// the first Slice. Where a dial goes wrong, all connections are closed again and the
// first error is returned. ctx ends the dialling only: Close ends the session.
func Open(ctx context.Context, plan Plan, proto Protocol, dial Dialer) (*Session, error) {
	if err := plan.Validate(); err != nil {
		return nil, fmt.Errorf("check plan: %w", err)
	}
	conns, err := dialAll(ctx, plan, dial)
	if err != nil {
		return nil, err
	}
	start := startPortable
	if eventLoopTakes(conns) {
		start = startEventLoop
	}
	base := time.Now() // of the clock that the shards share
	s := &Session{plan: plan, notice: make(chan struct{}, 1), closing: make(chan struct{})}
	s.redial = newRedialer(dial, plan.Timeout)
	workers := plan.workers()
	for w := range workers {
		set := setup{shard: newShard(plan, proto, base, s.notice), cpu: -1, redial: s.redial.replace}
		for i := w; i < len(conns); i += workers {
			set.shard.links = append(set.shard.links, &link{num: i})
			set.conns = append(set.conns, conns[i])
		}
		if len(plan.CPUs) > 0 {
			set.cpu = plan.CPUs[w%len(plan.CPUs)]
		}
		s.ended.Add(1)
		set.ended = s.ended.Done
		e, err := start(set)
		if err != nil {
			s.ended.Done()
			for i := range conns {
				if i%workers >= w {
					conns[i].Close()
				}
			}
			s.Close()
			return nil, fmt.Errorf("start worker %d: %w", w, err)
		}
		s.engines = append(s.engines, e)
	}
	return s, nil
}

// Slice loads the target for d and returns what came of it.
//
// It keeps Plan.Depth requests outstanding on each connection, then stops sending.
// With drain > 0 it waits until nothing is outstanding, or until every connection
// with something outstanding has been silent for drain. With drain 0 it returns at
// once, and answers that come later belong to the next slice. When all connections
// have been stalled or down for Plan.Timeout the slice ends early. Cancelling ctx
// ends it at once; what there is then comes with ctx's error.
func (s *Session) Slice(ctx context.Context, d time.Duration, drain time.Duration) (Slice, error) {
	s.slicing.Lock()
	defer s.slicing.Unlock()
	if d < 0 || drain < 0 {
		return Slice{}, fmt.Errorf("slice of %v with a drain of %v: want 0 or more", d, drain)
	}
	done := make(chan report, len(s.engines))
	start := time.Now()
	o := order{length: d, drain: drain, done: done}
	for _, e := range s.engines {
		o.spare = newHistogram()
		if !e.post(mail{kind: mailBegin, order: o}) {
			return Slice{}, ErrClosed
		}
	}
	out := Slice{Start: start}
	var dropped Counts
	cancelled, closing := ctx.Done(), s.closing
	for got := 0; got < len(s.engines); {
		select {
		case r := <-done:
			out.take(r)
			dropped.Unsent += r.dropped
			got++
		case <-s.notice:
			if s.allSilent() {
				s.stop()
			}
		case <-cancelled:
			cancelled = nil
			s.stop()
		case <-closing:
			closing = nil
			s.stop()
		}
	}
	s.book(out.Counts, dropped.Unsent)
	return out, ctx.Err()
}

func (s *Session) stop() {
	for _, e := range s.engines {
		e.post(mail{kind: mailStop})
	}
}

func (s *Session) allSilent() bool {
	for _, e := range s.engines {
		if !e.silent() {
			return false
		}
	}
	return true
}

// take adds one shard's report.
func (out *Slice) take(r report) {
	r.Unsent = r.dropped + uint64(r.unsent)
	r.Unanswered = uint64(r.unanswered)
	out.Add(r.Counts)
	out.Service = merge(out.Service, r.latency)
	out.FailedLatency = merge(out.FailedLatency, r.failed)
	out.Live += r.live
	out.Stalled += r.stalled
	out.Reconnects += r.reconnects
	wall := time.Duration(r.end - r.start)
	out.Duration = max(out.Duration, wall)
	out.WorkerWall += wall * time.Duration(r.threads)
	out.WorkerCPU += r.cpu
}

// book adds a slice to the session's totals: flows add up, levels replace each
// other.
func (s *Session) book(c Counts, dropped uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.levels = Counts{Unsent: c.Unsent - dropped, Unanswered: c.Unanswered}
	c.Unsent, c.Unanswered = dropped, 0
	s.flows.Add(c)
}

// Totals is the account of the whole session up to the end of its last slice, or
// to its close. It balances (see Counts.Balance).
func (s *Session) Totals() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.flows
	t.Add(s.levels)
	return t
}

// Close closes all connections and returns the final account; requests still
// outstanding are Unanswered in it. A slice under way is ended first. The error, if
// any, is a bug of the engine (see Counts.Balance).
func (s *Session) Close() (Counts, error) {
	s.mu.Lock()
	was := s.closed
	s.closed = true
	s.mu.Unlock()
	if was {
		return s.Totals(), ErrClosed
	}
	close(s.closing)
	s.slicing.Lock()
	defer s.slicing.Unlock()
	s.redial.close()
	done := make(chan report, len(s.engines))
	for _, e := range s.engines {
		e.post(mail{kind: mailQuit, done: done})
	}
	s.ended.Wait()
	var last Slice
	var dropped uint64
	for range s.engines {
		r := <-done
		last.take(r)
		dropped += r.dropped
	}
	s.book(last.Counts, dropped)
	t := s.Totals()
	return t, t.Balance()
}
