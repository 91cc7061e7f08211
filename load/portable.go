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
	bell   chan struct{} // wakes the conductor
	users  sync.WaitGroup

	mu    sync.Mutex // guards shard and pipes
	shard *shard
	pipes []*pipe // by link; nil while down
}

// pipe is one connection.
type pipe struct {
	conn net.Conn
	// bell says that there is something to write; closed when the reader ends.
	bell chan struct{}
}

// readSize is the first size of a connection's read buffer; long answers grow it.
const readSize = 8 << 10

// startPortable starts the goroutines for the connections of set. They end on
// mailQuit.
func startPortable(set setup) (engine, error) {
	p := &portable{
		redial: set.redial, bell: make(chan struct{}, 1),
		shard: set.shard, pipes: make([]*pipe, len(set.conns)),
	}
	p.wake = p.ring
	p.shard.cpu = func() time.Duration { return 0 }
	if p.shard.links[0].num == 0 { // the first shard speaks for the process
		p.shard.cpu, p.shard.threads = processCPU, runtime.GOMAXPROCS(0)
	}
	p.mu.Lock()
	for i, c := range set.conns {
		p.adopt(i, c)
	}
	p.mu.Unlock()
	go p.conduct(set.ended)
	return p, nil
}

func (p *portable) silent() bool { return p.shard.silent.Load() }

// ring wakes the conductor.
func (p *portable) ring() {
	select {
	case p.bell <- struct{}{}:
	default: // it will wake anyway
	}
}

// adopt starts a connection. The caller holds the lock.
func (p *portable) adopt(i int, c net.Conn) {
	q := &pipe{conn: c, bell: make(chan struct{}, 1)}
	p.pipes[i] = q
	p.shard.connect(p.shard.links[i], p.shard.clock())
	p.users.Go(func() { p.read(i, q) })
	p.users.Go(func() { p.write(i, q) })
}

// conduct reads the mail and moves the slice on, until it is told to end.
func (p *portable) conduct(ended func()) {
	defer ended()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		p.mu.Lock()
		last := p.mail()
		if last != nil {
			break
		}
		now := p.shard.clock()
		p.shard.step(now)
		wait := time.Hour
		if at := p.shard.wakeAt(); at > 0 {
			wait = time.Duration(max(0, at-now))
		}
		p.mu.Unlock()
		timer.Reset(wait)
		select {
		case <-timer.C:
		case <-p.bell:
		}
	}
	for _, q := range p.pipes {
		if q != nil {
			q.conn.Close()
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
}

// mail does what the mail says. It returns the mailQuit if that came, reported
// already. The caller holds the lock.
func (p *portable) mail() *mail {
	now := p.shard.clock()
	for _, m := range p.take() {
		switch m.kind {
		case mailBegin:
			p.shard.begin(m.order, now)
			for i, q := range p.pipes {
				if q != nil {
					p.refill(i, q, now)
				}
			}
		case mailStop:
			p.shard.stop(now)
		case mailConn:
			p.shard.reconnects++
			p.adopt(m.link, m.conn)
			p.refill(m.link, p.pipes[m.link], now)
		case mailFault:
			p.shard.fault(causeOf(m.err))
		case mailQuit:
			p.shard.stop(now)
			m.done <- p.shard.report(now, nil)
			return &m
		}
	}
	return nil
}

// refill builds the requests that link i has room for and wakes its writer. The
// caller holds the lock.
func (p *portable) refill(i int, q *pipe, now int64) {
	l := p.shard.links[i]
	had := len(l.ends)
	l.out, l.ends = p.shard.fill(l, l.out, l.ends, now)
	p.shard.pending += len(l.ends) - had
	if len(l.ends) == had {
		return
	}
	select {
	case q.bell <- struct{}{}:
	default: // the writer will look anyway
	}
}

// write hands over what refill built. What the writer takes counts as sent, at the
// time just before the write: an answer may come before the write returns. After an
// error the reader finds the end of the connection.
func (p *portable) write(i int, q *pipe) {
	var out []byte
	for range q.bell {
		p.mu.Lock()
		l := p.shard.links[i]
		if p.pipes[i] != q {
			p.mu.Unlock()
			return
		}
		out, l.out = l.out, out[:0]
		n := len(l.ends)
		p.shard.took(l, l.ends, len(out), p.shard.clock())
		p.shard.pending -= n
		l.ends = l.ends[:0]
		p.mu.Unlock()
		if len(out) == 0 {
			continue
		}
		if _, err := q.conn.Write(out); err != nil {
			// The reader takes what answers are still there, but not for ever: not
			// every error of a write shows in reads.
			_ = q.conn.SetReadDeadline(time.Now().Add(p.shard.plan.Timeout))
			return
		}
	}
}

// read settles the answers that q brings, to its end.
func (p *portable) read(i int, q *pipe) {
	defer q.conn.Close()
	defer close(q.bell) // q is out of pipes by then, so nobody rings it any more
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
			p.pipes[i] = nil
			p.ring()
			p.mu.Unlock()
			return
		}
		p.refill(i, q, p.shard.clock())
		if p.shard.phase == draining && p.shard.outstanding+p.shard.pending == 0 {
			p.ring()
		}
		p.mu.Unlock()
		have = copy(in, rest)
		if have == len(in) {
			in = append(in, make([]byte, len(in))...)
		}
	}
}

// arrived settles the answers in in, whose last n bytes are new, and what err means
// for the connection. The caller holds the lock.
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
	}
	if closed {
		p.redial(p, i, p.shard.lose(l, cause, now))
	}
	return rest, closed
}
