package load

import (
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// phase is what a shard is doing.
type phase uint8

const (
	idle     phase = iota // reads late answers, sends nothing
	sending               // every answer is replaced by a request
	draining              // waits for what is outstanding
)

// order starts a slice.
type order struct {
	length time.Duration // from when the shard reads the order
	drain  time.Duration // 0: do not wait
	// spare is the empty histogram for the time after this slice, so that ending a
	// slice allocates nothing on the event loop.
	spare *hdrhistogram.Histogram
	// done takes one report from each shard; it never blocks.
	done chan<- report
}

// report is what a shard did since its last report.
type report struct {
	account
	// unanswered and unsent are the levels at the end.
	unanswered, unsent int
	live, stalled      int
	start, end         int64
	cpu                time.Duration
	threads            int
}

// shard is a group of connections under one account: the part of an event loop (or
// of the portable engine) that does no input and output. It is not safe for
// concurrent use; its engine sees to that.
type shard struct {
	plan  Plan
	proto Protocol
	links []*link
	base  time.Time // of the session's clock
	// cpu reads the CPU clock of the shard's threads; threads is how many CPUs they
	// can keep busy.
	cpu     func() time.Duration
	threads int

	phase phase
	order order
	// began and until are when the shard read its order and when it stops sending,
	// on the session's clock; cpu0 is the CPU clock at began.
	began, until int64
	cpu0         time.Duration
	account
	// outstanding and pending are the sums over links of sent and unsent requests.
	outstanding, pending, live int

	// checkAt is when silence is next looked at, see check.
	checkAt int64
	// silent is set while every connection is stalled or down; notice is told so.
	silent atomic.Bool
	notice chan<- struct{}
}

func newShard(plan Plan, proto Protocol, base time.Time, notice chan<- struct{}) *shard {
	return &shard{
		plan: plan, proto: proto, base: base, notice: notice,
		account: account{latency: newHistogram()},
	}
}

// clock reads the session's monotonic clock. It is never 0, which ring needs.
func (s *shard) clock() int64 { return int64(time.Since(s.base)) + 1 }

// begin starts a slice. The engine then calls ready for each connection.
func (s *shard) begin(o order, now int64) {
	s.order = o
	s.began, s.until = now, now+int64(o.length)
	s.phase = sending
	s.checkAt = 0
	s.silent.Store(false)
	s.cpu0 = s.cpu()
}

// step moves the slice on. The engine calls it after each batch of events and when
// wakeAt has come.
func (s *shard) step(now int64) {
	if s.phase == idle {
		return
	}
	if s.phase == sending && now >= s.until {
		s.phase = draining
		s.checkAt = 0
	}
	if s.phase == draining && (s.order.drain == 0 || s.outstanding+s.pending == 0) {
		s.finish(now)
		return
	}
	if now >= s.checkAt {
		s.check(now)
	}
}

// wakeAt is when step has to be called at the latest; 0 means never.
func (s *shard) wakeAt() int64 {
	switch s.phase {
	case sending:
		return min(s.until, s.checkAt)
	case draining:
		return s.checkAt
	default:
		return 0
	}
}

// check looks whether everything has been silent for too long: in a drain that ends
// the slice, before it the session is told. Bytes that come in only put that moment
// off, so nothing needs to be looked at again before checkAt.
func (s *shard) check(now int64) {
	patience := int64(s.plan.Timeout)
	if s.phase == draining {
		patience = int64(s.order.drain)
	}
	last := int64(0)
	for _, l := range s.links {
		switch {
		case l.up && l.sent.n+len(l.ends) > 0, !l.up && s.phase == sending:
			last = max(last, l.quiet)
		case s.phase == sending:
			last = now // about to be filled
		}
	}
	s.checkAt = last + patience
	if s.checkAt > now {
		s.silent.Store(false)
		return
	}
	if s.phase == draining {
		s.finish(now)
		return
	}
	s.checkAt = now + patience
	s.silent.Store(true)
	select {
	case s.notice <- struct{}{}:
	default: // a notice is waiting already
	}
}

// finish ends the slice and reports it.
func (s *shard) finish(now int64) {
	s.phase = idle
	s.order.done <- s.report(now, s.order.spare)
	s.order = order{}
}

// stop ends the slice at once, if one is under way.
func (s *shard) stop(now int64) {
	if s.phase != idle {
		s.finish(now)
	}
}

// report closes the account and opens the next one with the histogram spare.
func (s *shard) report(now int64, spare *hdrhistogram.Histogram) report {
	s.endRun()
	r := report{
		account: s.account, unanswered: s.outstanding, unsent: s.pending,
		live: s.live, start: s.began, end: s.clock(), cpu: s.cpu() - s.cpu0, threads: s.threads,
	}
	for _, l := range s.links {
		if l.up && l.sent.n >= s.plan.Depth && now-l.quiet >= int64(s.plan.Timeout) {
			r.stalled++
		}
	}
	s.account = account{latency: spare}
	return r
}
