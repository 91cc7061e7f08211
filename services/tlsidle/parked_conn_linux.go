package tlsidle

import (
	"crypto/tls"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/gohone/hone/internal/sys/epoll"
)

// phase is where a connection of the lot is in its life.
type phase uint8

const (
	fresh     phase = iota // connected; not a byte of a handshake yet
	queued                 // waits for a place among the handshakes
	shaking                // its handshake's goroutine has it
	working                // a worker has it, or it waits for one
	resting                // parked: waits for a request
	reading                // parked: waits for more of a request
	stuck                  // waits for room to send the rest of an answer
	lingering              // has sent its last; what still comes is discarded
	gone
)

// course is what is to be done with a connection next.
type course uint8

const (
	serving  course = iota // requests
	closing                // its last answer is made; when all is sent, the sending side ends
	draining               // what still comes is discarded
	ended                  // nothing: it can be closed
)

// parked is one connection of the lot, and the net.Conn under its tls.Conn. In the
// phases shaking and working one goroutine has it and alone touches what is not said
// to be under mu; in the others it has no owner, and the goroutine that moves it to another phase,
// under mu, is the one who has it then.
type parked struct {
	lot    *lot
	tls    *tls.Conn // nil before the handshake
	next   *parked   // in a queue, under the queue's lock
	hold   []byte    // plaintext of a request that is not whole, nil for most
	unsent []byte    // ciphertext that found no room, nil for most
	hs     *handshake
	token  epoll.Token
	fd     int32
	record recordMeter
	course course
	waits  phase // the phase of waiting that since belongs to; working after progress
	// drained counts the bytes discarded.
	drained int32

	mu    sync.Mutex
	phase phase
	again bool  // an event came while the connection had an owner
	since int64 // when the phase's time began, as lot.now
}

var _ net.Conn = (*parked)(nil)

// event moves p on, because something has come.
func (p *parked) event() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch p.phase {
	case fresh:
		p.phase = queued
		p.lot.handshakes.enter(p)
	case resting, reading, stuck, lingering:
		p.lot.assign(p)
	case shaking:
		p.again = true
		p.hs.notify()
	case queued, working:
		p.again = true
	}
}

// wouldBlock is the error of a read that finds nothing. It says that it is temporary:
// crypto/tls then keeps what it has of a record and reads on from there next time.
type wouldBlock struct{}

func (wouldBlock) Error() string   { return "nothing has come" }
func (wouldBlock) Timeout() bool   { return true }
func (wouldBlock) Temporary() bool { return true }

var _ net.Error = wouldBlock{}

// Read reads what has come. During the handshake it waits for the client, after it the
// error is wouldBlock.
func (p *parked) Read(b []byte) (int, error) {
	for {
		n, errno := epoll.Recv(int(p.fd), b)
		switch {
		case errno == syscall.EINTR:
		case errno == syscall.EAGAIN && p.hs == nil:
			return 0, wouldBlock{}
		case errno == syscall.EAGAIN:
			if err := p.awaitClient(); err != nil {
				return 0, err
			}
		case errno != 0:
			return 0, os.NewSyscallError("recv", errno)
		case n == 0:
			return 0, io.EOF
		default:
			p.record.pass(b[:n])
			return n, nil
		}
	}
}

// Write sends b, and keeps what finds no room: crypto/tls cannot take up a write that
// it left. The workers read no further request while something is kept, so that it is
// one answer and an alert at most.
func (p *parked) Write(b []byte) (int, error) {
	if len(p.unsent) > 0 {
		p.unsent = append(p.unsent, b...)
		return len(b), nil
	}
	rest, err := p.send(b)
	if err != nil {
		return 0, err
	}
	if len(rest) > 0 {
		p.unsent = append([]byte(nil), rest...)
	}
	return len(b), nil
}

// send sends what there is room for and returns the rest.
func (p *parked) send(b []byte) (rest []byte, err error) {
	for len(b) > 0 {
		n, errno := epoll.Send(int(p.fd), b)
		switch errno {
		case 0:
			b = b[n:]
		case syscall.EINTR:
		case syscall.EAGAIN:
			return b, nil
		default:
			return b, os.NewSyscallError("send", errno)
		}
	}
	return nil, nil
}

// flush sends of what was kept what there is room for. What is left then causes an
// event when there is room again.
func (p *parked) flush() error {
	if len(p.unsent) == 0 {
		return nil
	}
	rest, err := p.send(p.unsent)
	if err != nil {
		return err
	}
	if len(rest) == 0 {
		p.unsent, p.waits = nil, working
		return p.lot.poller.Change(int(p.fd), p.token, false)
	}
	p.unsent = append([]byte(nil), rest...) // what is sent need not be kept
	return p.lot.poller.Change(int(p.fd), p.token, true)
}

// Close closes the socket; only lot.end calls it, by way of tls.Conn.Close or itself.
func (p *parked) Close() error { return syscall.Close(int(p.fd)) }

// LocalAddr and RemoteAddr ask the kernel rather than keep a copy.
func (p *parked) LocalAddr() net.Addr  { return address(syscall.Getsockname(int(p.fd))) }
func (p *parked) RemoteAddr() net.Addr { return address(syscall.Getpeername(int(p.fd))) }

func address(sa syscall.Sockaddr, err error) net.Addr {
	switch sa := sa.(type) {
	case *syscall.SockaddrInet4:
		return &net.TCPAddr{IP: sa.Addr[:], Port: sa.Port}
	case *syscall.SockaddrInet6:
		return &net.TCPAddr{IP: sa.Addr[:], Port: sa.Port}
	}
	return &net.TCPAddr{} // gone, or no TCP
}

// The deadlines are the lot's watch: it needs no timer for each connection.

func (p *parked) SetDeadline(time.Time) error      { return nil }
func (p *parked) SetReadDeadline(time.Time) error  { return nil }
func (p *parked) SetWriteDeadline(time.Time) error { return nil }

// recordMeter follows TLS records in the bytes that are read. A record's header is 5
// bytes, the last two of which are the length of the rest (RFC 8446, 5.1).
type recordMeter struct {
	left   uint16 // bytes of the record still to come, once its header has
	header uint8  // bytes of the header that have come
	high   byte   // the length's first byte
}

// pass takes in the next bytes of the stream.
func (m *recordMeter) pass(b []byte) {
	for len(b) > 0 {
		if m.header == 5 {
			n := min(int(m.left), len(b))
			m.left -= uint16(n)
			b = b[n:]
		} else {
			m.header++
			switch m.header {
			case 4:
				m.high = b[0]
			case 5:
				m.left = uint16(m.high)<<8 | uint16(b[0])
			}
			b = b[1:]
		}
		if m.header == 5 && m.left == 0 {
			*m = recordMeter{}
		}
	}
}

// within says whether a record has begun and not ended.
func (m *recordMeter) within() bool { return m.header > 0 }
