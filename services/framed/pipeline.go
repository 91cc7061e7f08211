package framed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"sync"
)

// pipeline is the inside of a Client: callers queue requests, one goroutine writes them,
// one reads the answers, which come in the order of the requests.
type pipeline struct {
	conn    net.Conn
	room    chan struct{}  // holds one for each call in calls
	ready   chan struct{}  // says that out is not empty
	broken  chan struct{}  // closed when err is set
	running sync.WaitGroup // the two goroutines, which end when broken is closed

	mu     sync.Mutex
	err    error   // why no call can succeed any more
	out    []byte  // requests to write
	calls  []*call // a ring of those outstanding: n of them, from first on
	first  int
	n      int
	unused []*call
}

// call is one request until its answer.
type call struct {
	want Ack
	done chan error // takes the result, without blocking
	// settled says that done has got it; given that no caller waits for it any more.
	settled, given bool
}

func (p *pipeline) start(conn net.Conn, outstanding int) {
	p.conn = conn
	p.room = make(chan struct{}, outstanding)
	p.ready = make(chan struct{}, 1)
	p.broken = make(chan struct{})
	p.calls = make([]*call, outstanding)
	p.running.Go(p.write)
	p.running.Go(p.read)
}

// call sends s and waits for its answer. Nothing is allocated for a call that succeeds.
func (p *pipeline) call(ctx context.Context, s Submit) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case p.room <- struct{}{}:
	case <-p.broken:
		return p.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	k, err := p.queue(s)
	if err != nil {
		return err
	}
	select {
	case err = <-k.done:
	case <-ctx.Done():
		if p.give(k) {
			return context.Cause(ctx)
		}
		err = <-k.done
	}
	p.reuse(k)
	return err
}

// queue appends s to what is to be written.
func (p *pipeline) queue(s Submit) (*call, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return nil, p.err
	}
	var k *call
	if last := len(p.unused) - 1; last >= 0 {
		k, p.unused = p.unused[last], p.unused[:last]
	} else {
		k = &call{done: make(chan error, 1)}
	}
	k.want, k.settled, k.given = s.answer(), false, false
	p.calls[(p.first+p.n)%len(p.calls)] = k
	p.n++
	if len(p.out) == 0 {
		select {
		case p.ready <- struct{}{}:
		default: // said already
		}
	}
	p.out = AppendRequest(p.out, s)
	return k, nil
}

// give says that no caller waits for k any more, or returns false if its result is there.
func (p *pipeline) give(k *call) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	k.given = !k.settled
	return k.given
}

// reuse keeps k, whose result was taken, for another call.
func (p *pipeline) reuse(k *call) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unused = append(p.unused, k)
}

// keptBuffer is the largest buffer that is used again, in bytes: some thousand small
// requests, and not what a few large ones took once.
const keptBuffer = 64 << 10

// write writes what is queued, all of it at a time.
func (p *pipeline) write() {
	var spare []byte
	for {
		select {
		case <-p.ready:
		case <-p.broken:
			return
		}
		// The caller that said ready is the first of those that can run now; the others
		// come before this goroutine again, and their requests leave in the same write.
		runtime.Gosched()
		p.mu.Lock()
		b := p.out
		p.out = spare[:0]
		p.mu.Unlock()
		if _, err := p.conn.Write(b); err != nil {
			p.fail(fmt.Errorf("send requests: %w", err))
			return
		}
		if spare = b; cap(spare) > keptBuffer {
			spare = nil
		}
	}
}

// read hands answers to the calls that wait for them.
func (p *pipeline) read() {
	in, have := make([]byte, 1024*AckSize), 0
	for {
		n, err := p.conn.Read(in[have:])
		rest, bad := p.settle(in[:have+n])
		if bad != nil {
			err = bad
		}
		if have = copy(in, rest); err != nil {
			p.fail(fmt.Errorf("read answers: %w", p.ended(err, have)))
			return
		}
	}
}

// ended makes io.EOF unexpected if something is missing.
func (p *pipeline) ended(err error, have int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if errors.Is(err, io.EOF) && have+p.n > 0 {
		return io.ErrUnexpectedEOF
	}
	return err
}

// settle settles the oldest calls by the whole answers in in and returns the rest. The
// error says that the connection is of no more use.
func (p *pipeline) settle(in []byte) (rest []byte, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for ; len(in) >= AckSize; in = in[AckSize:] {
		got, err := DecodeAck(in[:AckSize])
		if err != nil {
			return in, err
		}
		if p.n == 0 {
			return in, fmt.Errorf("answer to %q, for which there is not a request", got.ID)
		}
		want := p.calls[p.first].want
		if got.Command != want.Command || got.ID != want.ID {
			return in, fmt.Errorf("answer is command 0x%02x, id %q, want 0x%02x, %q",
				byte(got.Command), got.ID, byte(want.Command), want.ID)
		}
		var result error
		if got.Result != ResultAccepted {
			result = fmt.Errorf("%w: result %d, want %d", ErrRejected, got.Result, ResultAccepted)
		}
		p.settleFirst(result)
		<-p.room
	}
	return in, nil
}

// settleFirst takes the oldest call out of the ring and gives it its result. The caller
// holds mu.
func (p *pipeline) settleFirst(result error) {
	k := p.calls[p.first]
	p.calls[p.first] = nil
	p.first = (p.first + 1) % len(p.calls)
	p.n--
	if k.given {
		p.unused = append(p.unused, k)
		return
	}
	k.settled = true
	k.done <- result // has room: this is its only result
}

// fail closes the connection for good and fails every call, now and later, unless that
// has happened before.
func (p *pipeline) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return
	}
	p.err = err
	p.conn.Close()
	p.out, p.unused = nil, nil
	for p.n > 0 {
		p.settleFirst(err)
	}
	close(p.broken)
}
