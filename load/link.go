package load

import "time"

// link is one connection's place in a shard: its dialog, what it has outstanding
// and what it still has to write. The bytes themselves move in the engine.
type link struct {
	num    int   // in the session
	place  int   // in the shard
	serial int32 // of the connection: num, and for each that replaces it Plan.Connections more
	dialog Dialog
	// control is the dialog if it has bytes of its own to send, else nil.
	control Controller
	up      bool
	// next is the number of the next request to build: sent.head + len(ends).
	next uint64
	sent ring
	// rest holds the front of an answer that is not whole yet.
	rest []byte
	// last is the connection's last answer, if it was right; else its sent is 0.
	last rightAnswer

	unwritten
	lastHeard
	queuePlace
	givenBack
	reconnecting
}

// unwritten is what a link could not write yet.
type unwritten struct {
	// out holds the bytes, ends where each request in it
	// ends and, in an open loop, dues when each was due.
	out  []byte
	ends []int
	dues []int64
}

// lastHeard says when what was heard of a link's server.
type lastHeard struct {
	// quiet is since when nothing has been heard: the last bytes read, the first
	// request sent after all were answered, the request that filled the window, or the
	// loss of the connection.
	quiet int64
	// came is when the last bytes were read.
	came int64
	// coming is since when parts of an answer come without one becoming whole; 0 if none
	// does. events says that it is a stream of events.
	coming int64
	events bool
	// pushed is when the last message came that no request asked for; 0 before the first.
	pushed int64
}

// queuePlace is a link's place in the queue of its shard.
type queuePlace struct {
	// ready is since when the link waits there for a due request, or did
	// before it got its last one; queued says that it is in the queue.
	ready  int64
	queued bool
}

// givenBack are requests that a server gives back because it has not looked at them.
type givenBack struct {
	// leaving: the server has not looked at requests from unread on.
	leaving bool
	unread  uint64
	// again are those that are built anew and not sent yet, carried those that were sent anew.
	again, carried []again
}

// reconnecting says when a lost connection is replaced.
type reconnecting struct {
	// hasAnswered says that this connection has brought a right answer; backoff is how
	// long to wait before the next connect, and grows until one has. cleanClose says that
	// the last connection ended with nothing lost.
	hasAnswered, cleanClose bool
	backoff                 time.Duration
	connects                int // connections so far
}

// idle says that nothing can come that was asked for.
func (l *link) idle() bool { return l.sent.n+len(l.ends) == 0 }

// The waits between attempts to replace a connection: none after a connection
// that worked, then doubling. The first is well above a loopback connect (0.1 ms),
// so that a server that refuses is not kept busy refusing.
const (
	backoffMin = 10 * time.Millisecond
	backoffMax = time.Second
)

func nextBackoff(d time.Duration) time.Duration {
	return min(max(2*d, backoffMin), backoffMax)
}

// connect gives l a fresh connection.
func (s *shard) connect(l *link, now int64) {
	if !l.up && l.cleanClose {
		s.renewing--
	}
	l.dialog = s.proto.Dialog(l.num)
	l.serial = int32(l.num + l.connects*s.plan.Connections)
	l.connects++
	l.control, _ = l.dialog.(Controller)
	l.sent.reset(s.plan.Depth)
	if s.several > 0 {
		l.sent.keepTargets()
	}
	l.next = 0
	l.out, l.ends, l.dues, l.rest = l.out[:0], l.ends[:0], l.dues[:0], l.rest[:0]
	l.up, l.hasAnswered, l.cleanClose = true, false, false
	l.last, l.leaving = rightAnswer{}, false
	l.quiet, l.came, l.coming, l.events, l.pushed = now, now, 0, false, 0
	s.live++
}

// room is how many requests more l may have outstanding.
func (s *shard) room(l *link) int {
	free := s.plan.Depth - l.sent.n - len(l.ends)
	if free <= 0 {
		return 0
	}
	for l.sent.room()-len(l.ends) < free && l.sent.grow(ringGrowth*s.plan.Depth) {
	}
	free = min(free, l.sent.room()-len(l.ends))
	if k := s.plan.PerConnection; k > 0 {
		free = int(min(uint64(free), k-min(k, l.next)))
	}
	if l.control != nil {
		free = min(free, l.control.Room())
	}
	return free
}

// spent says that l has carried all it may and has nothing left to wait for.
func (s *shard) spent(l *link) bool {
	return s.plan.PerConnection > 0 && l.next >= s.plan.PerConnection && l.sent.n+len(l.ends)+len(l.out) == 0
}

// fill appends to buf what l has to send: the dialog's own bytes, and a request for
// every free place, and to ends where each request ends. buf and ends are l's own where
// it has bytes waiting. It builds no request outside the sending phase; in an open loop
// it builds none at all, see fillDue.
func (s *shard) fill(l *link, buf []byte, ends []int, now int64) ([]byte, []int) {
	if l.control != nil {
		buf = l.control.AppendControl(buf)
	}
	if s.opens && s.phase == sending {
		s.open(now)
	}
	fresh := s.phase == sending && now < s.until
	if s.pacer != nil || s.phase == idle || !fresh && len(s.again) == 0 {
		return buf, ends
	}
	free := s.room(l)
	old := min(free, len(s.again))
	switch {
	case !fresh:
		free = old
	case s.left < uint64(free-old):
		free = int(s.left) + old
	}
	if free <= 0 {
		return buf, ends
	}
	if l.idle() {
		l.quiet = now
	}
	for i := range free {
		if i < old {
			s.rebuild(l)
		}
		buf = l.dialog.AppendRequest(buf, l.next)
		ends = append(ends, len(buf))
		s.choose(l)
		l.next++
	}
	s.Scheduled += uint64(free - old)
	s.left -= uint64(free - old)
	return buf, ends
}

// took notes that the first n bytes of out were taken by the kernel at time now,
// and returns how many requests they completed. dues is nil outside open loops.
func (s *shard) took(l *link, ends []int, dues []int64, n int, now int64) int {
	s.BytesSent += uint64(n)
	whole := len(ends)
	if whole > 0 && n < ends[whole-1] {
		for whole = 0; ends[whole] <= n; whole++ {
		}
	}
	if whole == 0 {
		return 0
	}
	// A window that was open until now gives the peer a reason to answer that it did not
	// have before: its silence counts from here.
	if l.sent.n == 0 || l.sent.n+whole == s.plan.Depth {
		l.quiet = now
	}
	if s.pacer == nil {
		l.sent.push(whole, now)
	} else {
		for _, due := range dues[:whole] {
			l.sent.pushDue(now, due)
		}
	}
	s.Sent += uint64(whole)
	s.outstanding += whole
	if len(l.again) > 0 {
		s.resent(l)
	}
	return whole
}

// keep stores what could not be written: out from byte n on, whose requests from
// number whole on are not complete. out, ends and dues may be l's own.
func (s *shard) keep(l *link, out []byte, ends []int, dues []int64, n, whole int) {
	s.pending -= len(l.ends)
	l.out = append(l.out[:0], out[n:]...)
	l.ends = append(l.ends[:0], ends[whole:]...)
	if len(dues) > 0 {
		l.dues = append(l.dues[:0], dues[whole:]...)
	}
	for i := range l.ends {
		l.ends[i] -= n
	}
	s.pending += len(l.ends)
}

// lose accounts for the end of l's connection: outstanding requests fail with cause,
// unsent ones are dropped. It returns how long to wait before a new connect.
func (s *shard) lose(l *link, cause Cause, now int64) (wait time.Duration) {
	rebuilt := len(l.again)
	s.giveBackUnread(l)
	if cause == Timeout || cause == Endless || cause == EventStream { // how long was waited says more than nothing
		l.sent.each(func(sent, due int64) { s.failed = recordNew(s.failed, now-since(sent, due)) })
	}
	l.cleanClose = l.hasAnswered && l.idle()
	if l.cleanClose {
		s.renewing++
	}
	s.account.lose(cause, l.sent.n)
	l.sent.eachTarget(s.wrongOf)
	s.outstanding -= l.sent.n
	s.dropped += uint64(len(l.ends) - rebuilt)
	s.pending -= len(l.ends)
	s.live--
	l.sent.reset(s.plan.Depth)
	l.out, l.ends, l.dues, l.rest = l.out[:0], l.ends[:0], l.dues[:0], l.rest[:0]
	l.up = false
	l.quiet = now
	if l.hasAnswered {
		l.backoff = 0
		return 0
	}
	l.backoff = nextBackoff(l.backoff)
	return l.backoff
}

// replaced counts the connection that replaces l's.
func (s *shard) replaced(l *link) {
	if l.cleanClose {
		s.renewed++
	} else {
		s.reconnects++
	}
}
