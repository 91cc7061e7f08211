package load

import (
	"net"
	"runtime"
	"sync"
	"time"
)

// portable drives a shard over any net.Conn: two goroutines for each connection, so
// that a peer that does not read cannot keep us from reading, and one conductor that
// keeps the shard's time. A lock makes the shard theirs in turn.
type portable struct {
	mailbox
	redial func(e engine, link int, wait time.Duration)
	alarm  alarm // wakes the conductor
	users  sync.WaitGroup

	mu    sync.Mutex // guards shard, pipes and wakes
	shard *shard
	pipes []*pipe // by link; nil while down
	wakes int64   // when the conductor will wake
}

// pipe is one connection.
type pipe struct {
	conn net.Conn
	// bell says that there is something to write; closed when the reader ends.
	bell chan struct{}
	// full: what the link has to say waits until the writer has taken what was there.
	full bool
}

// maxOut bounds the bytes that wait for a writer before more are built: a peer that asks and does not read gets no
// further answers, and its dialog can tell.
const maxOut = 64 << 10

// abort makes q's reader and writer end. The reader closes the connection then: a close
// can wait for a TLS goodbye, which must not happen under the lock.
func (q *pipe) abort() { _ = q.conn.SetDeadline(time.Unix(1, 0)) }

// alarm is what the conductor sleeps on.
type alarm interface {
	// ring ends the sleep under way, or else the next one. It may be called from any
	// goroutine, and after close.
	ring()
	// sleep waits for d or a ring; for ever if d is negative.
	sleep(d time.Duration)
	// close releases the alarm, after its last sleep.
	close()
}

// readSize is the first size of a connection's read buffer; long answers grow it.
const readSize = 8 << 10

// startPortable starts the goroutines for the connections of set. They end on
// mailQuit.
func startPortable(set setup) (engine, error) {
	p := &portable{redial: set.redial, shard: set.shard, pipes: make([]*pipe, len(set.conns))}
	var err error
	if p.alarm, err = newAlarm(); err != nil {
		return nil, err
	}
	p.wake = p.alarm.ring
	p.shard.cpu, p.shard.threads = processCPU, runtime.GOMAXPROCS(0)
	p.mu.Lock()
	for i, c := range set.conns {
		p.adopt(i, c)
	}
	p.mu.Unlock()
	go p.conduct(set.ended)
	return p, nil
}

func (p *portable) silent() bool { return p.shard.silent.Load() }

// adopt starts a connection. The caller holds the lock.
func (p *portable) adopt(i int, c net.Conn) {
	q := &pipe{conn: c, bell: make(chan struct{}, 1)}
	p.pipes[i] = q
	now := p.shard.clock()
	p.shard.connect(p.shard.links[i], now)
	p.users.Go(func() { p.read(i, q) })
	p.users.Go(func() { p.write(i, q) })
	p.refill(i, q, now)
}

// conduct reads the mail and moves the stretch on, until it is told to end.
func (p *portable) conduct(ended func()) {
	defer ended()
	runtime.LockOSThread() // the alarm's precision is the thread's; it ends with us
	for !p.turn() {
	}
	p.mu.Lock()
	for _, q := range p.pipes {
		if q != nil {
			q.abort()
		}
	}
	clear(p.pipes) // what the readers see now is our own doing
	p.mu.Unlock()
	for _, m := range p.mailbox.close() {
		if m.conn != nil {
			m.conn.Close()
		}
	}
	p.users.Wait()
	p.alarm.close()
}

// turn does what is due and sleeps; true when it is told to end.
func (p *portable) turn() (ended bool) {
	p.mu.Lock()
	if p.mail() {
		p.mu.Unlock()
		return true
	}
	now := p.shard.clock()
	p.dispatch(now)
	if now >= p.shard.expireAt {
		p.shard.expire(now, func(i int, cause Cause) { p.drop(i, cause, now) })
	}
	p.shard.step(now)
	p.wakes = never
	wait := time.Duration(-1)
	if at := p.shard.wakeAt(); at > 0 {
		p.wakes = at
		wait = time.Duration(max(0, at-p.shard.clock()))
	}
	p.mu.Unlock()
	p.alarm.sleep(wait)
	return false
}

// mail does what the mail says; true if that was to end. The caller holds the lock.
func (p *portable) mail() (quit bool) {
	now := p.shard.clock()
	for _, m := range p.take() {
		switch m.kind {
		case mailBegin:
			p.shard.begin(m.order, now)
			for i := range p.shard.inTurn {
				if q := p.pipes[i]; q != nil {
					p.refill(i, q, now)
				}
			}
		case mailStop:
			p.shard.stop(now)
		case mailEnd:
			p.shard.end(now)
		case mailConn:
			p.shard.replaced(p.shard.links[m.link])
			p.adopt(m.link, m.conn)
		case mailFault:
			p.shard.fault(causeOf(m.err))
		case mailQuit:
			p.shard.stop(now)
			m.done <- p.shard.lastReport(now)
			return true
		}
	}
	return false
}

// refill builds what link i has to send and wakes its writer; in an open loop it
// offers the link for what is due. The caller holds the lock.
func (p *portable) refill(i int, q *pipe, now int64) {
	l := p.shard.links[i]
	if q.full = len(l.out) > maxOut; q.full {
		return
	}
	had := len(l.ends)
	l.out, l.ends = p.shard.fill(l, l.out, l.ends, now)
	p.shard.pending += len(l.ends) - had
	p.shard.offer(l, now)
	p.nudge(l, q)
}

// nudge wakes q's writer if there is something to write.
func (p *portable) nudge(l *link, q *pipe) {
	if len(l.out) == 0 {
		return
	}
	select {
	case q.bell <- struct{}{}:
	default: // the writer will look anyway
	}
}

// dispatch builds the requests that are due for the links that are ready, and sees to
// it that the conductor wakes for the next. The caller holds the lock.
func (p *portable) dispatch(now int64) {
	for l := p.shard.claim(now); l != nil; l = p.shard.claim(now) {
		l.out, l.ends, l.dues = p.shard.fillDue(l, l.out, l.ends, l.dues, now)
		p.shard.pending++
		p.nudge(l, p.pipes[l.place])
	}
	if p.shard.wakeAt() < p.wakes && p.shard.phase != idle {
		p.wakes = 0 // once is enough
		p.alarm.ring()
	}
}

// write hands over what was built. What the writer takes counts as sent, at the
// time just before the write: an answer may come before the write returns. After an
// error the reader finds the end of the connection.
func (p *portable) write(i int, q *pipe) {
	var out []byte
	for range q.bell {
		p.mu.Lock()
		if p.pipes[i] != q {
			p.mu.Unlock()
			return
		}
		out = p.hand(i, q, out[:0])
		p.mu.Unlock()
		if len(out) == 0 {
			continue
		}
		if _, err := q.conn.Write(out); err != nil {
			// The reader takes what answers are still there, but not for ever: not
			// every error of a write shows in reads.
			p.mu.Lock()
			if p.pipes[i] == q { // else the error is that of abort, whose deadline stays
				_ = q.conn.SetReadDeadline(time.Now().Add(p.shard.plan.Timeout))
			}
			p.mu.Unlock()
			return
		}
	}
}

// hand gives the bytes of link i to its writer, in exchange for the empty buffer. The caller
// holds the lock.
func (p *portable) hand(i int, q *pipe, empty []byte) (out []byte) {
	l := p.shard.links[i]
	out, l.out = l.out, empty
	now := p.shard.clock()
	if p.shard.pacer != nil {
		for _, due := range l.dues {
			p.shard.blame(l, due, now)
		}
	}
	p.shard.took(l, l.ends, l.dues, len(out), now)
	p.shard.pending -= len(l.ends)
	l.ends, l.dues = l.ends[:0], l.dues[:0]
	if q.full {
		p.refill(i, q, now)
	}
	p.ready(l, now)
	return out
}

// ready offers l for the request that has perhaps been waiting for it. The caller holds the lock.
func (p *portable) ready(l *link, now int64) {
	p.shard.offer(l, now)
	p.dispatch(now)
}

// read settles the answers that q brings, to its end.
func (p *portable) read(i int, q *pipe) {
	defer q.conn.Close()
	defer close(q.bell) // q is out of pipes by then, so it is not rung any more
	in, have := make([]byte, readSize), 0
	for {
		n, err := q.conn.Read(in[have:])
		have += n
		p.mu.Lock()
		if p.pipes[i] != q {
			p.mu.Unlock()
			return
		}
		rest, closed := p.arrived(i, in[:have], n, err)
		if closed {
			p.mu.Unlock()
			return
		}
		now := p.shard.clock()
		p.refill(i, q, now)
		p.dispatch(now)
		if sent := p.shard.phase == sending && p.shard.exhausted(); sent ||
			p.shard.phase != idle && p.shard.outstanding+p.shard.pending == 0 {
			p.alarm.ring() // the sending or the stretch may be over
		}
		p.mu.Unlock()
		have = copy(in, rest)
		if have == len(in) {
			in = append(in, make([]byte, len(in))...)
		}
	}
}

// arrived settles the answers in in, whose last n bytes are new, and what err means
// for the connection, which it drops if it has to go. The caller holds the lock.
func (p *portable) arrived(i int, in []byte, n int, err error) (rest []byte, closed bool) {
	l, now := p.shard.links[i], p.shard.clock()
	p.shard.BytesReceived += uint64(n)
	cause := Closed
	rest = in
	if n > 0 {
		rest, closed = p.shard.receive(l, in, false, now)
	}
	switch {
	case closed:
	case isEOF(err):
		p.shard.receive(l, rest, true, now)
		closed = true
	case err != nil:
		cause, closed = causeOf(err), true
	case len(rest) >= maxAnswer:
		p.shard.settle(l, Answer{Seq: l.sent.tail, Cause: Malformed}, now)
		closed = true
	case p.shard.spent(l):
		closed = true
	}
	if closed {
		p.drop(i, cause, now)
	}
	return rest, closed
}

// drop closes connection i and has it replaced. Its reader and writer end by
// themselves. The caller holds the lock.
func (p *portable) drop(i int, cause Cause, now int64) {
	p.pipes[i].abort()
	p.pipes[i] = nil
	p.alarm.ring()
	p.redial(p, i, p.shard.lose(p.shard.links[i], cause, now))
}
