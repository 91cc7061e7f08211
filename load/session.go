package load

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Session holds the connections of a plan. Its methods may be called from several
// goroutines; stretches run one after the other.
type Session struct {
	plan    Plan
	base    time.Time // of the clock that the shards share
	engines []engine
	sizes   []int // connections of each engine
	redial  *redialer
	ended   sync.WaitGroup // the engines' goroutines, ended by Close
	notice  chan struct{}  // a shard has fallen silent
	closing chan struct{}  // closed by Close

	running   sync.Mutex // held while a stretch runs
	monotonic int64      // see zero; 0 until it is needed

	mu       sync.Mutex
	counters Counts // of all reports so far; Unsent holds the dropped requests
	gauges   Counts // Unsent and Unanswered at the last report
	connects *hdrhistogram.Histogram
	closed   bool
}

// ErrClosed is what the methods of a closed Session return.
var ErrClosed = errors.New("session is closed")

// Open dials all connections of the plan and starts the event loops, which wait for
// the first stretch. Where a dial goes wrong, all connections are closed again and the
// first error is returned. ctx ends the dialling only: Close ends the session.
func Open(ctx context.Context, plan Plan, proto Protocol, dial Dialer) (*Session, error) {
	if err := plan.Validate(); err != nil {
		return nil, fmt.Errorf("check plan: %w", err)
	}
	s := &Session{
		plan: plan, base: time.Now(), connects: newHistogram(),
		notice: make(chan struct{}, 1), closing: make(chan struct{}),
	}
	dial = timeDials(dial, s.connected)
	conns, err := dialAll(ctx, plan, dial)
	if err != nil {
		return nil, err
	}
	start, workers := startPortable, 1 // its goroutines use all CPUs anyway
	if eventLoopTakes(conns) {
		start, workers = startEventLoop, plan.workers()
	}
	s.redial = newRedialer(dial, plan.Timeout)
	for w := range workers {
		set := setup{shard: newShard(w, plan, proto, s.base, s.notice), cpu: -1, redial: s.redial.replace}
		for i := w; i < len(conns); i += workers {
			set.shard.links = append(set.shard.links, &link{num: i, place: len(set.shard.links)})
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
		s.sizes = append(s.sizes, len(set.conns))
	}
	return s, nil
}

// Slice loads the target in a closed loop for d and returns what came of it: Run with
// one slice. With d = 0 it sends nothing and only drains.
func (s *Session) Slice(ctx context.Context, d time.Duration, drain time.Duration) (Slice, error) {
	if d < 0 {
		return Slice{}, fmt.Errorf("slice of %v: want 0 or more", d)
	}
	var out Slice
	err := s.run(ctx, Stretch{Schedule: ClosedLoop(d), Drain: drain}, func(got Slice) { out = got })
	return out, err
}

// Run loads the target as the stretch says and hands over its slices, one after the
// other, in the calling goroutine.
//
// When all is sent it waits, with Drain > 0, until nothing is outstanding or until every
// connection with something outstanding has been silent for Drain. With Drain 0 it
// returns at once, and answers that come later belong to the next stretch. Without a
// Plan.RequestTimeout the stretch ends early when all connections have been stalled or
// down for Plan.Timeout. Cancelling ctx ends it at once; what there is then is handed
// over, and ctx's error returned. See EndSending for a gentle end.
func (s *Session) Run(ctx context.Context, g Stretch, each func(Slice)) error {
	if err := g.Validate(); err != nil {
		return fmt.Errorf("check stretch: %w", err)
	}
	return s.run(ctx, g, each)
}

func (s *Session) run(ctx context.Context, g Stretch, each func(Slice)) error {
	if g.Drain < 0 {
		return fmt.Errorf("drain of %v: want 0 or more", g.Drain)
	}
	s.running.Lock()
	defer s.running.Unlock()
	var zero int64 // of the shards' clock, on CLOCK_MONOTONIC
	if g.Stamps != nil {
		var err error
		if zero, err = s.zero(); err != nil {
			return err
		}
	}
	reports, err := s.order(g)
	if err != nil {
		return err
	}
	cancelled, closing := ctx.Done(), s.closing
	for reports.open() {
		select {
		case r := <-reports.done:
			if r.stamps != nil {
				g.Stamps.add(r.stamps, zero)
			}
			for _, out := range reports.take(r) {
				s.book(out)
				each(out)
			}
		case <-s.notice:
			if s.allSilent() {
				s.tell(mailStop)
			}
		case <-cancelled:
			cancelled = nil
			s.tell(mailStop)
		case <-closing:
			closing = nil
			s.tell(mailStop)
		}
	}
	return ctx.Err()
}

// zero is what CLOCK_MONOTONIC showed when the clock of the shards was 0.
func (s *Session) zero() (int64, error) {
	if s.monotonic == 0 {
		at, err := monotonicAt(s.base)
		if err != nil {
			return 0, err
		}
		s.monotonic = at - 1 // see shard.clock
	}
	return s.monotonic, nil
}

// headStart is how far ahead of its start an open loop is ordered, so that every event
// loop is ready when its first request is due: some wakes of a thread.
const headStart = 2 * time.Millisecond

// order posts the stretch to all engines.
func (s *Session) order(g Stretch) (*reports, error) {
	c := newCuts(g.Schedule, g.Interval)
	r := newReports(s.sizes, c, g.Schedule.Open())
	o := order{
		origin: int64(time.Since(s.base) + headStart), length: g.Schedule.Length(), cuts: c, drain: g.Drain,
		done: r.done,
	}
	for i, e := range s.engines {
		o.spares, o.left = r.spares[i], ^uint64(0)
		if g.Stamps != nil {
			o.stamps = &stamping{room: int(shareOf(uint64(g.Stamps.room()), i, len(s.engines)))}
		}
		switch {
		case g.Schedule.Open():
			o.pacer = newPacer(g.Schedule, i, len(s.engines))
		case g.Schedule.Requests > 0:
			o.left = shareOf(g.Schedule.Requests, i, len(s.engines))
		case o.length == 0:
			o.left = 0
		}
		if !e.post(mail{kind: mailBegin, order: o}) {
			return nil, ErrClosed
		}
	}
	return r, nil
}

// EndSending ends the sending of the stretch under way; its Run then drains and
// returns as if the schedule had ended there. It may be called at any time.
func (s *Session) EndSending() { s.tell(mailEnd) }

func (s *Session) tell(kind mailKind) {
	for _, e := range s.engines {
		e.post(mail{kind: kind})
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

// connected records how long a connect took.
func (s *Session) connected(took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	record(s.connects, int64(took), 1)
}

// Connects is the time that each successful connect took so far, in nanoseconds, the
// TLS handshake included. The caller owns it.
func (s *Session) Connects() *hdrhistogram.Histogram {
	s.mu.Lock()
	defer s.mu.Unlock()
	return SumHistograms(nil, s.connects)
}

// book adds a slice to the session's totals: counters add up, gauges replace each
// other.
func (s *Session) book(got Slice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := got.Counts
	s.gauges = Counts{Unsent: c.Unsent - got.Dropped, Unanswered: c.Unanswered}
	c.Unsent, c.Unanswered = got.Dropped, 0
	s.counters.Add(c)
}

// Totals is the account of the whole session up to the end of its last slice, or
// to its close. It balances (see Counts.Balance).
func (s *Session) Totals() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.counters
	t.Add(s.gauges)
	return t
}

// Close closes all connections and returns the final account; requests still
// outstanding are Unanswered in it. A stretch under way is ended first. The error, if
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
	s.running.Lock()
	defer s.running.Unlock()
	s.redial.close()
	last := newReports(s.sizes, cuts{}, false)
	for _, e := range s.engines {
		e.post(mail{kind: mailQuit, done: last.done})
	}
	s.ended.Wait()
	for last.open() {
		for _, out := range last.take(<-last.done) {
			s.book(out)
		}
	}
	t := s.Totals()
	return t, t.Balance()
}
