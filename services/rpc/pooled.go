package rpc

import (
	"bufio"
	"context"
	"net"
	"sync"
	"time"

	"github.com/gohone/hone/services/internal/settings"
)

// The second rung. Callers share a pool of connections, each of which serves one call at
// a time. A frame is one read, as a rule, and one write, and the memory of frames is
// used again. Envelope and argument are still the libraries' business.
//
// A CPU profile shows a ninth of the system calls of naive. An allocs profile names the
// decoders and encoders of protobuf and msgpack only.

// keptBuffer is the largest buffer that is kept for further frames, in bytes.
const keptBuffer = 64 << 10

// buffers is a pool of memory for frames.
type buffers struct{ sync.Pool }

func newBuffers() *buffers { return &buffers{sync.Pool{New: func() any { return new([]byte) }}} }

func (b *buffers) get() *[]byte { return b.Get().(*[]byte) }

func (b *buffers) put(buf *[]byte) {
	*buf = kept(*buf)[:0]
	b.Put(buf)
}

// servePooled serves each connection's calls one after the other. Answers are flushed
// whenever no further whole frame is waiting, that is before a read could block.
func servePooled(s *Server, ln net.Listener) error {
	pool := newBuffers()
	return s.eachPeer(ln, func(p *peer) error { return answerPooled(p, pool) })
}

func answerPooled(p *peer, pool *buffers) error {
	limit := p.server.cfg.MaxBody
	r, w := bufio.NewReader(p), bufio.NewWriter(p)
	defer w.Flush() // the answers before a bad frame
	for {
		if _, err := r.Peek(1); err != nil { // idle connections hold no memory of the pool
			return err
		}
		if err := answerOne(p, r, w, pool); err != nil {
			return err
		}
		if wholeFrameWaits(r, limit) {
			continue
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
}

// answerOne answers one frame into w.
func answerOne(p *peer, r *bufio.Reader, w *bufio.Writer, pool *buffers) error {
	in, out := pool.get(), pool.get()
	defer pool.put(in)
	defer pool.put(out)
	h, body, err := readFrame(r, *in, p.server.cfg.MaxBody)
	*in = body
	if err != nil {
		return err
	}
	*out = p.answer(*out, h, body)
	_, err = w.Write(*out)
	return err
}

// pooledTransport is a client's pool of connections.
type pooledTransport struct {
	cfg  *ClientConfig
	room chan struct{} // a token for each connection that may be in use
	all  lanes

	mu   sync.Mutex
	idle []*lane // the one used last is on top
}

func connectPooled(cfg *ClientConfig) transport {
	settings.Default(&cfg.Conns, defaultPool)
	t := &pooledTransport{cfg: cfg, room: make(chan struct{}, cfg.Conns)}
	for range cfg.Conns {
		t.room <- struct{}{}
	}
	return t
}

// defaultPool is the number of connections of a pool that was given none.
const defaultPool = 64

func (t *pooledTransport) call(ctx context.Context, c call) error {
	ctx, cancel := withTimeout(ctx, t.cfg.Timeout)
	defer cancel()
	select {
	case <-t.room:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { t.room <- struct{}{} }()
	l, err := t.take(ctx)
	if err != nil {
		return err
	}
	sound, err := l.call(ctx, &c)
	if !sound {
		t.all.drop(l)
		return err
	}
	l.used = time.Now()
	t.mu.Lock()
	t.idle = append(t.idle, l)
	t.mu.Unlock()
	return err
}

// take returns an idle connection, or a new one. One that was idle for long has to
// answer a heartbeat first: the server may have gone without a word.
func (t *pooledTransport) take(ctx context.Context) (*lane, error) {
	for {
		l := t.pop()
		if l == nil {
			return t.dial(ctx)
		}
		if time.Since(l.used) < t.cfg.Heartbeat {
			return l, nil
		}
		probe, cancel := context.WithTimeout(ctx, t.cfg.Heartbeat)
		sound, err := l.call(probe, &call{kind: KindHeartbeat})
		cancel()
		if sound && err == nil {
			return l, nil
		}
		t.all.drop(l)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
}

func (t *pooledTransport) pop() *lane {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.idle) == 0 {
		return nil
	}
	l := t.idle[len(t.idle)-1]
	t.idle = t.idle[:len(t.idle)-1]
	return l
}

func (t *pooledTransport) dial(ctx context.Context) (*lane, error) {
	l, err := t.all.dial(ctx, t.cfg)
	if err != nil {
		return nil, err
	}
	r := bufio.NewReader(l.conn)
	l.read = func(dst []byte) (Header, []byte, error) { return readFrame(r, dst, t.cfg.MaxBody) }
	l.write = func(frame []byte) error {
		_, err := l.conn.Write(frame)
		return err
	}
	return l, nil
}

func (t *pooledTransport) close() { t.all.close() }
