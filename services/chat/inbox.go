package chat

import (
	"net"
	"sync"
	"syscall"
)

// inbox reads from one connection into scratch memory. While it waits it holds none, only
// the front of a frame that has not come whole.
type inbox struct {
	conn net.Conn
	raw  syscall.RawConn // nil: conn is not a socket
	pool *sync.Pool
	rest []byte

	try func(fd uintptr) bool // readNow, made once
	// What the last readNow has brought.
	scratch *scratch
	err     error
}

func newInbox(conn net.Conn, pool *sync.Pool) *inbox {
	b := &inbox{conn: conn, raw: rawOf(conn), pool: pool}
	b.try = b.readNow
	return b
}

// read waits for bytes and returns a scratch with all there is to work on, which the
// caller gives back by keep. With an error, which is io.EOF at the end, the scratch may
// still hold bytes; it is nil if there is nothing to work on.
func (b *inbox) read() (*scratch, error) {
	if b.raw == nil {
		d := b.pool.Get().(*scratch)
		have := copy(d.buf[:], b.rest)
		n, err := b.conn.Read(d.buf[have:])
		d.in = d.buf[:have+n]
		return d, err
	}
	if err := b.raw.Read(b.try); err != nil {
		return nil, err
	}
	d, err := b.scratch, b.err
	b.scratch, b.err = nil, nil
	return d, err
}

// keep copies rest, which lies in d, and gives d back. It is sized by what came, not by
// what a length field says will come.
func (b *inbox) keep(d *scratch, rest []byte) {
	switch {
	case len(rest) == 0:
		b.rest = nil
	case len(rest) > cap(b.rest):
		b.rest = make([]byte, len(rest), min(2*len(rest), MaxFrame))
		fallthrough
	default:
		b.rest = append(b.rest[:0], rest...)
	}
	d.in = nil
	b.pool.Put(d)
}

// readNow is called when the socket may have bytes; false: it has none.
func (b *inbox) readNow(fd uintptr) bool {
	d := b.pool.Get().(*scratch)
	have := copy(d.buf[:], b.rest)
	n, err := tryRead(fd, d.buf[have:])
	if n == 0 && err == nil {
		b.pool.Put(d)
		return false
	}
	d.in = d.buf[:have+n]
	b.scratch, b.err = d, err
	return true
}
