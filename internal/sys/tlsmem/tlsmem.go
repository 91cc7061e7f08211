// Package tlsmem is crypto/tls for event loops: a client that shakes hands over its socket, as any other, and then
// leaves the socket to an event loop. The loop gives it the bytes that it read and writes those that it gets back.
// Handshake, keys, records and alerts stay with crypto/tls.
package tlsmem

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
)

// Conn is the client's side of a TLS connection. Until Detach it is a net.Conn like any *tls.Conn. After it only Open,
// Seal, Goodbye and Pending may be called, from one goroutine at a time.
type Conn struct {
	*tls.Conn
	wire *wire
}

// Client shakes hands over c. ctx bounds the handshake, and its end closes c; other errors leave c to the caller.
// They are those of tls.Conn.HandshakeContext.
func Client(ctx context.Context, c net.Conn, config *tls.Config) (*Conn, error) {
	w := &wire{Conn: c, state: shaking}
	s := &Conn{Conn: tls.Client(w, config), wire: w}
	if err := s.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	w.state = direct
	return s, nil
}

// Socket is the connection under s.
func (s *Conn) Socket() net.Conn { return s.wire.Conn }

// Detach takes the socket from s and returns it; the caller closes it. It must come before the first Read. All that
// the server sends after the handshake is still in the socket then, see wire.Read.
func (s *Conn) Detach() net.Conn {
	s.wire.state = detached
	return s.wire.Conn
}

// maxPlaintext is the most that a record holds (RFC 8446 section 5.1).
const maxPlaintext = 16 << 10

// maxPending bounds what waits for a Seal, in bytes: the answers to some 2,000 requests for new keys.
const maxPending = 64 << 10

// errAsks is that of a server which asks for new keys again and again, while what it is answered finds no room in the
// socket.
var errAsks = errors.New("the server asks for new TLS keys and does not read the answers")

// Open decrypts the whole records at the front of in and appends what they hold to dst. It returns how many bytes of in
// it used: the caller gives the rest again, with more after it. in is not changed, and not retained.
//
// The error is io.EOF where the server has said goodbye (close_notify), else what crypto/tls says of a record or of the
// server's alert, or errAsks. After an error nothing more can be opened; dst holds what came before it. Open may leave
// something to send, see Pending.
func (s *Conn) Open(dst, in []byte) (plain []byte, used int, err error) {
	for n := whole(in); n > 0 && err == nil; n = whole(in[used:]) {
		s.wire.in = in[used : used+n]
		used += n
		if dst, err = s.openRecord(dst); err == nil && len(s.wire.out) > maxPending {
			err = errAsks
		}
	}
	return dst, used, err
}

// openRecord appends the plaintext of the one record that the wire has.
func (s *Conn) openRecord(dst []byte) ([]byte, error) {
	dst = withRoom(dst, maxPlaintext)
	n, err := s.Conn.Read(dst[len(dst):cap(dst)])
	if errors.Is(err, errEmpty) { // the record was a ticket, a request for new keys, or empty
		err = nil
	}
	return dst[:len(dst)+n], err
}

// Seal appends to dst what is pending, and plain as records. ends are offsets in plain; they become offsets in the
// result: of the end of the record that carries the byte before each, since a server can read that byte no sooner.
// After an error, which is sticky, the connection is of no more use.
func (s *Conn) Seal(dst, plain []byte, ends []int) ([]byte, error) {
	w := s.wire
	w.out, dst = append(dst, w.out...), nil
	next := 0 // of ends
	var err error
	for from := 0; from < len(plain) && err == nil; {
		to := min(len(plain), from+maxPlaintext)
		_, err = s.Conn.Write(plain[from:to])
		for next < len(ends) && ends[next] <= to {
			ends[next] = len(w.out)
			next++
		}
		from = to
	}
	dst, w.out = w.out, nil
	return dst, err
}

// Pending says that crypto/tls has something to send: an answer to the server's new keys, or an alert. The next Seal
// carries it.
func (s *Conn) Pending() bool { return len(s.wire.out) > 0 }

// Goodbye appends to dst what is pending, and close_notify where that may still be said.
func (s *Conn) Goodbye(dst []byte) []byte {
	w := s.wire
	w.out = append(dst, w.out...)
	_ = s.Conn.CloseWrite() // refused after an alert of our own, which is goodbye enough
	dst, w.out = w.out, nil
	return dst
}

// withRoom is b with room for n bytes after its end.
func withRoom(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	wide := make([]byte, len(b), 2*(len(b)+n))
	copy(wide, b)
	return wide
}
