package load

import (
	"sync/atomic"
	"time"
)

// phase is what a shard is doing.
type phase uint8

const (
	idle     phase = iota // reads late answers, sends nothing
	sending               // requests go out as the schedule says
	draining              // waits for what is outstanding
)

// order starts a stretch.
type order struct {
	// origin is the start of an open loop's schedule on the session's clock; a closed
	// loop starts with its first request.
	origin int64
	length time.Duration // 0: until left is used up
	cuts   cuts
	drain  time.Duration // 0: do not wait
	// left is how many requests the shard may send, pacer when; nil in a closed loop.
	left  uint64
	pacer *pacer
	// spares are empty stores for the time after each report. The reader of the reports
	// puts new ones in; the first is there when the order is posted.
	spares <-chan spare
	// done takes the shard's reports. It never blocks.
	done chan<- report
	// stamps takes the time stamps of right answers; nil where the stretch asks for none.
	stamps *stamping
}

// report is what a shard did since its last report.
type report struct {
	account
	// shard is who reports, cut the number of the cut at which the report ends (see
	// cuts), last that the stretch has ended.
	shard, cut int
	last       bool
	// unanswered and unsent are the gauges at the end.
	unanswered, unsent int
	live, stalled      int
	start, end         int64
	heard              int64     // when the shard last read bytes of a target
	base               time.Time // of start, end and heard
	drained            int64     // part of the time that nothing was sent in
	cpu, spin          time.Duration
	threads            int
	stamps             *stamping // of the whole stretch, in its last report
}

// shard is a group of connections under one account: the part of an event loop (or
// of the portable engine) that does no input and output. It is not safe for
// concurrent use; its engine sees to that. Its parts are held by value: a request costs no
// step through a pointer.
type shard struct {
	num   int // in the session
	plan  Plan
	proto Protocol
	links []*link
	base  time.Time // of the session's clock
	// several is how many targets are told apart; 0 where there are not several.
	several int

	cpuMeter
	sendingState
	slicing
	dueRequests
	gauges
	resends
	silenceWatch
	account
}

// cpuMeter measures the CPU time of a shard.
type cpuMeter struct {
	// cpu reads the CPU clock of the shard's threads; threads is how many CPUs they
	// can keep busy.
	cpu     func() time.Duration
	threads int
	// cpu0 is what the clock said when the account was opened, spin the CPU time spent on waiting since then.
	cpu0 time.Duration
	spin int64
}

// sendingState says how far the stretch is. Its moments are on the session's clock.
type sendingState struct {
	phase phase
	order order
	// origin is when the stretch began, until when it stops sending, stopped when sending ended.
	origin, until, stopped int64
	opens                  bool      // a closed loop has not begun to send
	left                   uint64    // requests that a closed loop may still send
	stamps                 *stamping // nil where none are asked for
}

// slicing says where the slices of a stretch begin and end, on the session's clock.
type slicing struct {
	// began is when the account was opened, or its stretch began; opened when the last report was: what came later is in
	// this account.
	began, opened int64
	// cut is the number of the next cut, cutAt its moment.
	cut   int
	cutAt int64
}

// dueRequests has the requests of a schedule that are due, and the links that can take them.
type dueRequests struct {
	pacer   *pacer // nil in a closed loop
	ready   queue  // links with room
	turn    int    // the place of the link after the last that got a request
	backlog uint64 // due and unsent at the last report
}

// gauges are sums over the links.
type gauges struct {
	// outstanding and pending count sent and unsent requests; live counts
	// links that are up, renewing those that ended in good order and are being
	// replaced.
	outstanding, pending, live, renewing int
}

// resends are the requests that a server gave back.
type resends struct {
	// again are requests that wait to be sent again; they are outstanding. rebuilt is how many of pending are such.
	again   []again
	rebuilt int
}

// silenceWatch says when to look for connections that nothing is heard of.
type silenceWatch struct {
	// heard is when bytes were last read.
	heard int64
	// checkAt is when silence is next looked at, see check; expireAt when a request can
	// next have waited too long, see expire.
	checkAt, expireAt int64
	// silent is set while every connection is stalled or down; notice is then sent to.
	silent atomic.Bool
	notice chan<- struct{}
}

func newShard(num int, plan Plan, proto Protocol, base time.Time, notice chan<- struct{}) *shard {
	s := &shard{num: num, plan: plan, proto: proto, base: base, several: len(TargetNames(proto))}
	s.notice = notice
	s.account = s.newAccount()
	s.spare = newSpare(false)
	return s
}

// newAccount is an empty account that lacks its spare.
func (s *shard) newAccount() account {
	if s.several == 0 {
		return account{}
	}
	return account{targets: make([]targetAccount, s.several)}
}

// clock reads the session's monotonic clock. It is never 0, which ring needs.
func (s *shard) clock() int64 { return int64(time.Since(s.base)) + 1 }

// begin starts a stretch. The engine then tries every connection, and calls offer for
// those it has tried.
func (s *shard) begin(o order, now int64) {
	s.order = o
	s.began, s.origin = now, now
	s.left, s.pacer, s.stamps = o.left, o.pacer, o.stamps
	s.opens = s.pacer == nil
	if s.pacer != nil {
		s.began, s.origin = o.origin, o.origin
		s.prepare(now)
	}
	if s.stamps != nil { // this leads every answer to right, so that the shortest way needs no look at stamps
		for _, l := range s.links {
			l.sent.allowDues()
		}
	}
	s.cut, s.stopped = 0, 0
	s.aim()
	s.phase = sending
	s.checkAt, s.expireAt = 0, 0
	s.silent.Store(false)
	s.cpu0, s.spin = s.cpu(), 0
}

// open has a closed loop begin with its first request. On a busy machine the thread may have stood still since it read
// the order for longer than the whole stretch, which then would send nothing.
func (s *shard) open(now int64) {
	s.opens = false
	s.began, s.origin = now, now
	s.aim()
}

// aim says when a stretch from its origin stops to send, and has its first cut.
func (s *shard) aim() {
	s.until = never
	if s.order.length > 0 {
		s.until = s.origin + int64(s.order.length)
	}
	s.cutAt = s.order.cuts.after(s.origin, s.cut)
}

// never is a moment that does not come.
const never = int64(1) << 62

// step moves the stretch on. The engine calls it after each batch of events and when
// wakeAt has come.
func (s *shard) step(now int64) {
	if s.phase == idle {
		return
	}
	if s.phase == sending && now >= s.cutAt {
		s.interim(now)
	}
	if s.phase == sending && (now >= s.until || s.exhausted()) {
		s.settleDown(now)
	}
	if s.phase == draining && (s.order.drain == 0 || s.outstanding+s.pending == 0) {
		s.finish(now)
		return
	}
	if now >= s.checkAt {
		s.check(now)
	}
}

// exhausted says that no request is left to send.
func (s *shard) exhausted() bool {
	if s.pacer != nil {
		return !s.pacer.ok && s.pacer.left == 0
	}
	return s.left == 0
}

// settleDown ends the sending.
func (s *shard) settleDown(now int64) {
	s.phase = draining
	s.stopped = now
	s.checkAt = 0
}

// interim reports the slice that a cut ends and opens the next. Cuts that went by
// unseen are left out: the slice is longer then.
func (s *shard) interim(now int64) {
	first := s.cut
	for s.cutAt <= now && s.cutAt < s.until {
		s.cut++
		s.cutAt = s.order.cuts.after(s.origin, s.cut)
	}
	if s.cut == first || now >= s.until || crowded(s.order.done) {
		return // the slice goes on; the last one, to the end of the drain
	}
	r := s.report(now, s.cut-1)
	s.began, s.cpu0, s.spin = now, s.cpu(), 0
	s.order.done <- r
}

// wakeAt is when step has to be called at the latest; 0 means never.
func (s *shard) wakeAt() int64 {
	switch s.phase {
	case sending:
		at := min(s.until, s.cutAt, s.checkAt, s.expireAt)
		if s.pacer != nil && s.pacer.ok && s.ready.n > 0 {
			at = min(at, s.origin+int64(s.pacer.due))
		}
		return at
	case draining:
		return min(s.checkAt, s.expireAt)
	default:
		return 0
	}
}

// finish ends the stretch and reports its last slice. What is left over is given up if
// there was a drain.
func (s *shard) finish(now int64) {
	if s.order.drain > 0 {
		s.giveUpAll(now)
	}
	r := s.report(now, s.cut)
	r.last = true
	r.stamps, s.stamps = s.stamps, nil
	r.dropped += s.backlog
	r.unsent -= int(s.backlog)
	if s.stopped > 0 {
		r.drained = now - s.stopped
	}
	s.phase, s.pacer, s.backlog = idle, nil, 0
	s.ready.clear()
	s.order.done <- r
	s.order = order{}
}

// stop ends the stretch at once, if one is under way.
func (s *shard) stop(now int64) {
	if s.phase != idle {
		s.finish(now)
	}
}

// end stops the sending of the stretch, which then drains.
func (s *shard) end(now int64) {
	if s.phase == sending {
		s.until = now
		s.settleDown(now)
		s.step(now)
	}
}

// lastReport is the report of a shard that ends; nothing follows it.
func (s *shard) lastReport(now int64) report {
	r := s.report(now, 0)
	r.last = true
	return r
}

// report closes the account and opens the next one.
func (s *shard) report(now int64, cut int) report {
	s.account.close()
	s.countBacklog(now)
	ended := s.clock()
	r := report{
		account: s.account, shard: s.num, cut: cut, unanswered: s.outstanding,
		unsent: s.pending - s.rebuilt + int(s.backlog),
		live:   s.live + s.renewing, start: min(s.began, ended), end: ended, cpu: s.cpu() - s.cpu0, threads: s.threads,
		spin: time.Duration(s.spin), base: s.base, heard: s.heard,
	}
	if s.pacer == nil && r.response != nil && r.response.TotalCount() == 0 {
		r.response, r.lag = nil, nil // an open loop went before
	}
	for _, l := range s.links {
		if l.up && l.sent.n >= s.plan.Depth && now-l.quiet >= int64(s.plan.Timeout) {
			r.stalled++
		}
	}
	s.account, s.opened = s.newAccount(), now
	select {
	case s.account.spare = <-s.order.spares:
	default: // their maker is late
		s.account.spare = newSpare(s.pacer != nil)
	}
	return r
}
