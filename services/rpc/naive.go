package rpc

import (
	"context"
	"io"
	"net"
)

// The first rung. Every caller has a connection of its own and waits on it for its
// answer. Each field of a frame is read from the socket and written to it by itself,
// into fresh memory, and envelope and argument are the libraries' business.
//
// A CPU profile is dominated by Syscall under (*conn).Read and (*conn).Write: nine of
// each for a frame on either side. An allocs profile names readField, proto.Unmarshal
// and the decoders and encoders of msgpack.

// serveNaive serves each connection's calls one after the other.
func serveNaive(s *Server, ln net.Listener) error {
	return s.eachPeer(ln, func(p *peer) error {
		for {
			h, body, err := readFields(p, s.cfg.MaxBody)
			if err != nil {
				return err
			}
			if err := writeFields(p, p.answer(nil, h, body)); err != nil {
				return err
			}
		}
	})
}

// fieldSizes are the sizes of the fields of a header in bytes: magic, version, kind,
// mode, compression, stream, length, reserved.
var fieldSizes = [...]int{1, 1, 1, 1, 1, 2, 4, 4}

// readFields reads a frame field by field.
func readFields(r io.Reader, limit int) (Header, []byte, error) {
	var header []byte
	for _, size := range fieldSizes {
		field, err := readField(r, size)
		if err != nil {
			if len(header) > 0 {
				err = cutOff(err)
			}
			return Header{}, nil, err
		}
		header = append(header, field...)
		if err := checkFront(header); err != nil {
			return Header{}, nil, err
		}
	}
	h, err := DecodeHeader(header)
	if err != nil {
		return h, nil, err
	}
	if err := checkLength(h.Length, limit); err != nil {
		return h, nil, err
	}
	body, err := readBody(r, nil, int(h.Length))
	return h, body, err
}

func readField(r io.Reader, size int) ([]byte, error) {
	field := make([]byte, size)
	_, err := io.ReadFull(r, field)
	return field, err
}

// writeFields writes a frame field by field; nothing if there is none.
func writeFields(w io.Writer, frame []byte) error {
	if len(frame) == 0 {
		return nil
	}
	for _, size := range fieldSizes {
		if _, err := w.Write(frame[:size]); err != nil {
			return err
		}
		frame = frame[size:]
	}
	if len(frame) == 0 {
		return nil
	}
	_, err := w.Write(frame)
	return err
}

// naiveTransport is a client's one connection, for one call at a time.
type naiveTransport struct {
	cfg  *ClientConfig
	turn chan struct{} // holds a token while no call is made
	all  lanes
	lane *lane // nil before the first call and after a fault; belongs to the caller that has the token
}

func connectNaive(cfg *ClientConfig) transport {
	t := &naiveTransport{cfg: cfg, turn: make(chan struct{}, 1)}
	t.turn <- struct{}{}
	return t
}

func (t *naiveTransport) call(ctx context.Context, c call) error {
	ctx, cancel := withTimeout(ctx, t.cfg.Timeout)
	defer cancel()
	select {
	case <-t.turn:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { t.turn <- struct{}{} }()
	if t.lane == nil {
		var err error
		if t.lane, err = t.all.dial(ctx, t.cfg); err != nil {
			return err
		}
		conn := t.lane.conn
		t.lane.read = func(dst []byte) (Header, []byte, error) { return readFields(conn, t.cfg.MaxBody) }
		t.lane.write = func(frame []byte) error { return writeFields(conn, frame) }
	}
	sound, err := t.lane.call(ctx, &c)
	if !sound {
		t.all.drop(t.lane)
		t.lane = nil
	}
	return err
}

func (t *naiveTransport) close() { t.all.close() }
