package tlsidle

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/gohone/hone/internal/sys/epoll"

	"github.com/gohone/hone/services/internal/server"
)

// list is a queue of connections, linked through themselves, so that it takes no
// memory.
type list struct{ head, tail *parked }

func (l *list) push(p *parked) {
	if l.head == nil {
		l.head = p
	} else {
		l.tail.next = p
	}
	l.tail = p
}

func (l *list) pop() *parked {
	p := l.head
	if p != nil {
		l.head, p.next = p.next, nil
	}
	return p
}

// queue hands connections to the workers, first come first served.
type queue struct {
	mu     sync.Mutex
	filled sync.Cond // L is mu
	list   list
	closed bool
}

func (q *queue) push(p *parked) {
	q.mu.Lock()
	q.list.push(p)
	q.mu.Unlock()
	q.filled.Signal()
}

// pop waits for a connection. It returns nil once the queue is closed and empty.
func (q *queue) pop() *parked {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.list.head == nil && !q.closed {
		q.filled.Wait()
	}
	return q.list.pop()
}

func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.filled.Broadcast()
}

// assign hands p to a worker; under p.mu, in a phase in which p has no owner.
func (l *lot) assign(p *parked) {
	p.phase = working
	p.again = false
	l.ready.push(p)
}

// work is a worker.
func (l *lot) work() {
	for p := l.ready.pop(); p != nil; p = l.ready.pop() {
		l.attend(p)
	}
}

// maxTurn is how many requests of one connection are answered before the others have
// their turn.
const maxTurn = 16

// fault is an end that is not in order; with noCause it is not counted.
type fault struct {
	cause Cause
	err   error
}

// noEnd means that the connection has no owner any more, or another worker.
var noEnd = new(fault)

// attend does for p all that can be done without waiting.
func (l *lot) attend(p *parked) {
	if f := l.step(p); f != noEnd {
		l.end(p, f)
	}
}

// step takes p as far as it goes. It returns noEnd if p is to go on later, nil or a fault
// if p is to end.
func (l *lot) step(p *parked) *fault {
	for {
		if err := p.flush(); err != nil {
			return &fault{CauseBroken, err}
		}
		if len(p.unsent) > 0 {
			if f := l.park(p, stuck); f != nil || p.course == ended {
				return f
			}
			continue
		}
		var f *fault
		switch p.course {
		case serving:
			b := l.pool.Get().(*scratch)
			f = l.converse(p, b)
			l.pool.Put(b)
		case closing:
			f = p.hangUp()
		case draining:
			f = l.drain(p)
		}
		if f != nil || p.course == ended {
			return f
		}
	}
}

// park leaves p to the kernel, in one of the phases of waiting. nil means that
// something came meanwhile, and p stays.
//
// The time that a phase is given runs on over events that bring nothing it waits for:
// only progress, which sets p.waits to working, begins it anew.
func (l *lot) park(p *parked, ph phase) *fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.again {
		p.again = false
		return nil
	}
	switch {
	case (ph == resting || ph == reading) && l.s.core.Closing():
		p.course = ended
		return nil
	case l.hurry.Load():
		p.course, p.tls = ended, nil // no goodbye
		return nil
	}
	if p.waits != ph {
		p.waits, p.since = ph, l.now()
	}
	p.phase = ph
	return noEnd
}

// converse answers what has come of requests and parks p. It returns nil once p takes
// another course, or has an answer that finds no room.
func (l *lot) converse(p *parked, b *scratch) *fault {
	b.load(p.hold)
	p.hold = nil
	for turn := 1; ; {
		out, last := b.next(time.Now())
		if out == nil {
			if f := l.readMore(p, b); f != nil || p.course != serving {
				return f
			}
			continue
		}
		l.s.tally.requests.Add(1)
		if _, err := p.tls.Write(out); err != nil {
			return &fault{CauseBroken, err}
		}
		l.s.tally.responses.Add(1)
		p.waits = working
		if last != nil {
			l.conclude(p, last)
			return nil
		}
		if len(p.unsent) > 0 {
			p.keep(b)
			return nil
		}
		if turn++; turn > maxTurn {
			p.keep(b)
			l.ready.push(p)
			return noEnd
		}
	}
}

// readMore reads on, and parks p if nothing has come. In a shutdown it reads no more.
func (l *lot) readMore(p *parked, b *scratch) *fault {
	if l.s.core.Closing() {
		p.sayGoodbye()
		return nil
	}
	n, err := p.tls.Read(b.space())
	b.arrived(n)
	switch {
	case n > 0: // an error comes again with the next read
		return nil
	case errors.As(err, &wouldBlock{}):
	case errors.Is(err, io.EOF) && len(b.in) == 0:
		p.course = ended
		return nil
	default:
		return &fault{CauseBroken, err}
	}
	ph := resting
	if len(b.in) > 0 || p.record.within() {
		ph = reading
	}
	p.keep(b)
	l.trimmer.trim(p.tls)
	if f := l.park(p, ph); f != nil {
		return f
	}
	p.hold = nil // p stays, and b has it
	return nil
}

// keep has p keep what was read and not answered, in as much memory as it takes.
func (p *parked) keep(b *scratch) {
	if len(b.in) > 0 {
		p.hold = append([]byte(nil), b.in...)
	}
}

// conclude says goodbye behind the last answer.
func (l *lot) conclude(p *parked, last error) {
	if why, ok := errors.AsType[*refusal](last); ok {
		l.s.ended(CauseBadRequest, p.RemoteAddr(), why)
	}
	p.sayGoodbye()
}

// sayGoodbye has p end behind what it has sent.
func (p *parked) sayGoodbye() {
	p.course = closing
	// The alert may find no room, too, and a connection that is broken shows soon.
	_ = p.tls.CloseWrite()
}

// hangUp ends the sending side once everything is sent.
func (p *parked) hangUp() *fault {
	p.tls = nil
	p.waits, p.course = working, draining
	if err := syscall.Shutdown(int(p.fd), syscall.SHUT_WR); err != nil {
		return &fault{CauseBroken, os.NewSyscallError("shutdown", err)}
	}
	return nil
}

// drain discards what the client still sends, until it ends, too.
func (l *lot) drain(p *parked) *fault {
	b := l.pool.Get().(*scratch)
	defer l.pool.Put(b)
	for {
		n, errno := epoll.Recv(int(p.fd), b.out[:cap(b.out)])
		p.drained += int32(n)
		switch {
		case errno == syscall.EINTR:
		case errno == syscall.EAGAIN:
			return l.park(p, lingering)
		case errno != 0 || n == 0 || p.drained > server.LingerBytes:
			p.course = ended
			return nil
		}
	}
}

// end closes p, which the caller has, and gives its place back.
func (l *lot) end(p *parked, f *fault) {
	p.mu.Lock()
	p.phase = gone
	p.mu.Unlock()
	if f != nil && f.cause != noCause {
		l.s.ended(f.cause, p.RemoteAddr(), f.err)
	}
	if p.tls == nil || f != nil && f.cause != CauseIdle {
		p.Close()
	} else {
		p.tls.Close() // with an alert that says that this is the end
	}
	l.mu.Lock()
	l.strike(p)
	l.mu.Unlock()
	l.s.core.Leave(server.Ending{}) // last: Shutdown goes by it
}
