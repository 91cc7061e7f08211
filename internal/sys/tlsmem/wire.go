package tlsmem

import (
	"net"
	"time"
)

// wire is what crypto/tls takes for its connection.
type wire struct {
	net.Conn
	state state
	// left is how much of the record is still to be read that a handshake reads; head holds the front of its header.
	left int
	head []byte
	// in is the rest of the record that Open reads, out what crypto/tls wrote since the last Seal.
	in, out []byte
}

type state uint8

const (
	shaking  state = iota // reads go to the socket, none beyond the record that crypto/tls reads
	direct                // reads and writes go to the socket
	detached              // reads take in, writes append to out
)

// Read gives crypto/tls the bytes that it asks for. It reads ahead as far as the space that it offers. During the
// handshake it gets one record at a time, although that takes two reads for each: so nothing of what follows the
// handshake is ever in its buffers, and Detach need not ask for that.
func (w *wire) Read(p []byte) (int, error) {
	switch w.state {
	case shaking:
		return w.readRecord(p)
	case direct:
		return w.Conn.Read(p)
	}
	if len(w.in) == 0 {
		return 0, errEmpty
	}
	n := copy(p, w.in)
	w.in = w.in[n:]
	return n, nil
}

// readRecord reads at most to the end of the header or of the record that it is in.
func (w *wire) readRecord(p []byte) (int, error) {
	if w.left == 0 {
		n, err := w.Conn.Read(p[:min(len(p), headerLen-len(w.head))])
		w.head = append(w.head, p[:n]...)
		if len(w.head) == headerLen {
			w.left, w.head = bodyLen(w.head), w.head[:0]
		}
		return n, err
	}
	n, err := w.Conn.Read(p[:min(len(p), w.left)])
	w.left -= n
	return n, err
}

// Write implements net.Conn.
func (w *wire) Write(p []byte) (int, error) {
	if w.state != detached {
		return w.Conn.Write(p)
	}
	w.out = append(w.out, p...)
	return len(p), nil
}

// SetWriteDeadline implements net.Conn. crypto/tls sets one around close_notify.
func (w *wire) SetWriteDeadline(t time.Time) error {
	if w.state == detached {
		return nil
	}
	return w.Conn.SetWriteDeadline(t)
}

// headerLen is the length of a record's header, maxBody the most that may follow it: 256 bytes more than it holds in
// TLS 1.3, 2,048 more before (RFC 8446 section 5.2, RFC 5246 section 6.2.3).
const (
	headerLen = 5
	maxBody   = maxPlaintext + 2048
)

// bodyLen is how many bytes follow a record's header.
func bodyLen(header []byte) int { return int(header[3])<<8 | int(header[4]) }

// whole is the length of the record at the front of in; 0 if it is not whole yet. Of one that is longer than any may be
// the header is enough: crypto/tls refuses it without a look at the rest.
func whole(in []byte) int {
	if len(in) < headerLen {
		return 0
	}
	n := bodyLen(in)
	switch {
	case n > maxBody:
		return headerLen
	case len(in) < headerLen+n:
		return 0
	}
	return headerLen + n
}

// errEmpty says that wire has nothing more for crypto/tls at the moment. It is temporary, and so the only kind of error
// after which a tls.Conn reads on (readRecordOrCCS in crypto/tls/conn.go).
var errEmpty net.Error = emptyError{}

type emptyError struct{}

func (emptyError) Error() string   { return "no bytes yet" }
func (emptyError) Timeout() bool   { return false }
func (emptyError) Temporary() bool { return true }
