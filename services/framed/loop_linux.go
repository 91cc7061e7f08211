package framed

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gohone/hone/internal/sys/epoll"

	"github.com/gohone/hone/services/internal/server"
)

// loop is one event loop. Its thread owns all of it but the mailbox and traffic.
type loop struct {
	mailbox
	server *Server

	links  []link  // by number; those with state vacant are free
	vacant []int32 // their numbers
	// again are links that had more to read than one read takes. They go on in the next
	// turn, after the others; spare is the memory of the list that is not in use.
	again, spare []int32
	// partings are the links that linger, the one that may do so the least time first.
	partings []parting
	left     []departure // in this turn
	pace     pace

	in    []byte // what one read brings
	out   []byte // room for the answers to as many of the smallest frames as in and one part can hold
	store buffers

	moved   tally // not published yet
	traffic traffic

	arrivals  []arrival // read's own
	finishing bool
	aborting  bool
	quitting  bool
}

const (
	// loopRead is the size of in: more than a loopback socket delivers in one go under
	// most loads, and what bounds the answers that one connection can have unsent.
	loopRead = 64 << 10
	// loopEvents is how many events one look at epoll takes at most.
	loopEvents = 256
)

func newLoop(s *Server) (*loop, error) {
	p, err := epoll.New(loopEvents)
	if err != nil {
		return nil, err
	}
	return &loop{
		mailbox: mailbox{poller: p},
		server:  s,
		in:      make([]byte, loopRead),
		out:     make([]byte, (loopRead/MinFrame+1)*AckSize),
	}, nil
}

// run is the loop's goroutine; it ends on orderQuit. It never unlocks its thread, which
// ends with it.
func (l *loop) run() {
	runtime.LockOSThread()
	defer l.close()
	for !l.quitting {
		l.turn()
	}
}

// turn handles one batch of events, or sleeps until there are some.
//
// It must stay a real call with a stack check: apart from sleeping, the loop is made of
// raw system calls, in which the runtime cannot stop a goroutine. Without a function
// prologue on the way a garbage collection could wait forever.
//
//go:noinline
func (l *loop) turn() {
	events := l.await()
	for i := range events {
		l.handle(&events[i])
	}
	l.resume()
	if len(l.partings) > 0 {
		l.expire(time.Now())
	}
	if l.posted.Load() {
		l.readMail()
	}
	l.settle()
}

// Under load the loop sleeps often and shortly, while others read its answers. It then
// naps (epoll.Poller.Nap): with real sleeps a tenth of the CPU time went to the runtime's
// monitor thread (seen with GOMAXPROCS=1 and 100 connections). While it naps Go has the
// processor for nothing else, so it naps only while its turns follow each other quickly,
// and after a nap in vain it sleeps.
const (
	// napFor bounds a nap. It is far longer than one under load, beyond the next tick of
	// the kernel: a timer that is the next to end has to be set in hardware, which on a
	// virtual machine cost a third of the CPU time (200 us: 94 ns an answer, 20 ms: 67).
	napFor = 20 * time.Millisecond
	// Turns are quick if each of paceTurns took quickTurn on average.
	paceTurns = 16
	quickTurn = 200 * time.Microsecond
)

// pace knows whether turns are quick. It reads the clock once in paceTurns.
type pace struct {
	turns int // to go until the clock is read
	since time.Time
	quick bool
}

// next counts a turn and says whether turns are quick.
func (p *pace) next() bool {
	if p.turns--; p.turns < 0 {
		now := time.Now()
		p.quick = now.Sub(p.since) < paceTurns*quickTurn
		p.turns, p.since = paceTurns-1, now
	}
	return p.quick
}

// await returns the next events, or none when it is time for something else.
func (l *loop) await() []epoll.Event {
	quick := l.pace.next()
	if len(l.again) > 0 {
		return l.poller.Poll()
	}
	if !quick {
		return l.poller.Doze(l.patience())
	}
	events := l.poller.Nap(napFor)
	l.pace.quick = len(events) > 0
	return events
}

// patience is how long the loop may sleep, without bound if negative. Its clock is the
// server's watchdog, by mail; only lingering is too short for that.
func (l *loop) patience() time.Duration {
	if len(l.partings) == 0 {
		return -1
	}
	return max(0, time.Until(l.partings[0].until))
}

func (l *loop) handle(e *epoll.Event) {
	t := e.Token()
	if t.Link == epoll.WakeLink {
		return // turn looks for mail
	}
	k := &l.links[t.Link]
	if k.generation != t.Generation || k.state == vacant {
		return
	}
	if e.Hangup() {
		k.ended = true
	}
	if len(k.unsent) > 0 && (e.Room() || e.Hangup()) && !l.drain(t.Link) {
		return
	}
	l.proceed(t.Link)
}

// resume lets the links go on that had more to read than one read takes.
func (l *loop) resume() {
	again := l.again
	l.again = l.spare[:0]
	for _, i := range again {
		if l.links[i].again {
			l.links[i].again = false
			l.proceed(i)
		}
	}
	l.spare = again
}

// proceed reads what link i has. While it has answers to send it does not read: drain
// is to be followed by proceed.
func (l *loop) proceed(i int32) {
	switch k := &l.links[i]; k.state {
	case open:
		if len(k.unsent) == 0 {
			l.receive(i)
		}
	case lingering:
		l.discard(i)
	}
}

// departure is a link that is gone, and why.
type departure struct {
	link   int32
	ending server.Ending
}

// settle publishes what was moved and only then takes those off the books that are gone,
// so that the counters of a server without connections are complete. Until here no link
// is used again: this turn's events and lists may still name it.
func (l *loop) settle() {
	l.traffic.publish(l.moved)
	for _, d := range l.left {
		k := &l.links[d.link]
		remote := k.remote
		k.remote = nil
		l.vacant = append(l.vacant, d.link)
		if !d.ending.IsFault() {
			l.server.core.Leave(d.ending)
			continue
		}
		// The log may block, which must not hold up the loop. The goroutine is part of the
		// connection: it ends with Leave, for which Shutdown waits.
		go func() {
			l.server.core.LogEnding(remote, d.ending)
			l.server.core.Leave(d.ending)
		}()
	}
	l.left = l.left[:0]
}

// tally is what a loop has moved.
type tally struct{ requests, responses, received, sent uint64 }

// traffic is the last tally that a loop has published, for any goroutine to read.
type traffic struct{ requests, responses, received, sent atomic.Uint64 }

func (t *traffic) publish(n tally) {
	t.requests.Store(n.requests)
	t.responses.Store(n.responses)
	t.received.Store(n.received)
	t.sent.Store(n.sent)
}

func (t *traffic) add(c *Counters) {
	c.Responses += t.responses.Load() // before requests, of which there are never fewer
	c.Requests += t.requests.Load()
	c.BytesReceived += t.received.Load()
	c.BytesSent += t.sent.Load()
}
