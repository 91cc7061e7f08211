package load

import "time"

// link is one connection's place in a shard: its dialog, what it has outstanding
// and what it still has to write. The bytes themselves move in the engine.
type link struct {
	num    int // in the session
	dialog Dialog
	up     bool
	// next is the number of the next request to build: sent.head + len(ends).
	next uint64
	sent ring
	// out holds bytes that could not be written yet, ends where each request in it
	// ends.
	out  []byte
	ends []int
	// rest holds the front of an answer that is not whole yet.
	rest []byte
	// quiet is since when nothing has been heard: the last bytes read, the first
	// request sent after all were answered, the request that filled the window, or the
	// loss of the connection.
	quiet int64
	// proved says that this connection has brought a right answer; backoff is how
	// long to wait before the next connect, and grows until one has.
	proved  bool
	backoff time.Duration
}

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
	l.dialog = s.proto.Dialog(l.num)
	l.sent.reset(s.plan.Depth)
	l.next = 0
	l.out, l.ends, l.rest = l.out[:0], l.ends[:0], l.rest[:0]
	l.up, l.proved = true, false
	l.quiet = now
	s.live++
}

// fill appends to buf a request for every free place on l, and to ends where each
// ends. It builds nothing outside the sending phase.
func (s *shard) fill(l *link, buf []byte, ends []int, now int64) ([]byte, []int) {
	if s.phase != sending || now >= s.until {
		return buf, ends
	}
	free := s.plan.Depth - l.sent.n - len(ends)
	for l.sent.room()-len(ends) < free && l.sent.grow(ringGrowth*s.plan.Depth) {
	}
	free = min(free, l.sent.room()-len(ends))
	if free > 0 && l.sent.n+len(ends) == 0 {
		l.quiet = now
	}
	for range max(free, 0) {
		buf = l.dialog.AppendRequest(buf, l.next)
		ends = append(ends, len(buf))
		l.next++
	}
	if free > 0 {
		s.Scheduled += uint64(free)
	}
	return buf, ends
}

// took notes that the first n bytes of out were taken by the kernel at time now,
// and returns how many requests they completed.
func (s *shard) took(l *link, ends []int, n int, now int64) int {
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
	l.sent.push(whole, now)
	s.Sent += uint64(whole)
	s.outstanding += whole
	return whole
}

// keep stores what could not be written: out from byte n on, whose requests from
// number whole on are not complete. out and ends may be l's own.
func (s *shard) keep(l *link, out []byte, ends []int, n, whole int) {
	s.pending -= len(l.ends)
	l.out = append(l.out[:0], out[n:]...)
	l.ends = append(l.ends[:0], ends[whole:]...)
	for i := range l.ends {
		l.ends[i] -= n
	}
	s.pending += len(l.ends)
}

// receive settles the answers at the front of in, read at time now, and returns
// the bytes behind the last whole one. closed says that the connection has to go.
func (s *shard) receive(l *link, in []byte, eof bool, now int64) (rest []byte, closed bool) {
	l.quiet = now
	if s.silent.Load() {
		s.silent.Store(false)
		s.checkAt = 0
	}
	dialog := l.dialog
	for len(in) > 0 || eof {
		n, a := dialog.NextAnswer(in, eof)
		if n > 0 && a == (Answer{Seq: l.sent.tail}) && l.sent.n > 0 {
			s.right(now - l.sent.takeOldest()) // nearly always
			s.outstanding--
			l.proved = true
			in = in[n:]
			continue
		}
		if n == 0 && !a.Close {
			break
		}
		in = in[n:]
		if a.Partial {
			continue
		}
		s.settle(l, a, now)
		if a.Close {
			return nil, true
		}
	}
	return in, false
}

// settle ends the request that a answers.
func (s *shard) settle(l *link, a Answer, now int64) {
	idle := l.sent.n == 0
	a.Cause = min(a.Cause, OtherError)
	sent, ok := l.sent.take(a.Seq)
	switch {
	case ok && a.Cause == OK:
		s.outstanding--
		l.proved = true
		s.right(now - sent)
	case ok:
		s.outstanding--
		s.wrong(a.Cause, now-sent)
	case idle:
		s.fault(Unsolicited)
	case a.Cause == OK || a.Cause == WrongOrder:
		s.fault(WrongID)
	default:
		s.fault(a.Cause)
	}
}

// lose accounts for the loss of l's connection: outstanding requests fail with
// cause, unsent ones are dropped. It returns how long to wait before a new connect.
func (s *shard) lose(l *link, cause Cause, now int64) (wait time.Duration) {
	s.account.lose(cause, l.sent.n)
	s.outstanding -= l.sent.n
	s.dropped += uint64(len(l.ends))
	s.pending -= len(l.ends)
	s.live--
	l.sent.reset(s.plan.Depth)
	l.out, l.ends, l.rest = l.out[:0], l.ends[:0], l.rest[:0]
	l.up = false
	l.quiet = now
	if l.proved {
		l.backoff = 0
		return 0
	}
	l.backoff = nextBackoff(l.backoff)
	return l.backoff
}
