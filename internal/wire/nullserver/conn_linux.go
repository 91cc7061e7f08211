package nullserver

import (
	"fmt"
	"syscall"

	"github.com/gohone/hone/internal/sys/epoll"
	"golang.org/x/sys/unix"
)

// conn is one link of the loop and the connection it has, if any.
type conn struct {
	link, generation int32
	fd               int // -1 between connections
	speaker          speaker
	// rest is input that no answer has used up yet, less than maxRest.
	rest []byte
	// pending are answers that found no room. Until they are out nothing is read, so
	// that the client's own writes come to rest.
	pending []byte
	// hup: the end of the stream is near; read until it comes, since no event may
	// announce it again.
	hup bool
	// last: nothing follows the answers that are going out. tidy: nothing of what the
	// client sent is left unread, as far as is known.
	last, tidy bool
	// deaf: the last answer is out; what still comes is read and dropped.
	deaf bool
	// queued: the link is in the loop's list of those to be read again.
	queued bool
}

// accept takes all connections that are waiting.
func (e *loop) accept() {
	e.starved = false
	for {
		fd, errno := epoll.Accept(e.listener)
		switch {
		case errno == 0:
			e.open(fd)
		case errno == unix.EAGAIN:
			return
		case errno == unix.EINTR || errno == unix.ECONNABORTED:
		case exhausted(errno):
			e.starved = true
			return
		default:
			e.err = fmt.Errorf("accept connection: %w", errno)
			e.ending.Store(true)
			return
		}
	}
}

// open gives a connection a link. What has come on it already is the first event.
func (e *loop) open(fd int) {
	var c *conn
	if n := len(e.free); n > 0 {
		c = e.conns[e.free[n-1]]
		e.free = e.free[:n-1]
	} else {
		c = &conn{link: int32(len(e.conns))}
		e.conns = append(e.conns, c)
	}
	*c = conn{
		link: c.link, generation: c.generation + 1, fd: fd, queued: c.queued, rest: c.rest[:0],
		speaker: newSpeaker(e.reply),
	}
	if e.poller.Watch(fd, c.token(), false) != nil {
		e.drop(c) // the system is out of memory: the client sees its connection end
	}
}

func (c *conn) token() epoll.Token { return epoll.Token{Link: c.link, Generation: c.generation} }

// read does one read from c, answers what it completes, and has itself called again if
// there may be more. A read that does not fill the buffer has emptied the socket: what
// comes later is a new event.
func (e *loop) read(c *conn) {
	have := copy(e.in, c.rest)
	n, errno := epoll.Recv(c.fd, e.in[have:])
	switch {
	case errno == unix.EAGAIN:
		return
	case errno != 0 || n == 0:
		e.drop(c)
		return
	}
	in := e.in[:have+n]
	full := len(in) == len(e.in)
	if full || c.hup {
		e.queue(c)
	}
	if c.deaf {
		return
	}
	out, used, last := c.speaker.answer(e.out[:0], in)
	e.out = out // it may have grown
	c.rest = append(c.rest[:0], in[used:]...)
	if last {
		c.last, c.tidy = true, used == len(in) && !full
		c.rest = c.rest[:0]
	}
	if len(out) > 0 || last {
		e.write(c, out)
	}
}

// queue has c read in the next turn, whether or not an event comes.
func (e *loop) queue(c *conn) {
	if !c.queued {
		c.queued = true
		e.again = append(e.again, c.link)
	}
}

// write sends out, or what there is room for; the others are pending.
func (e *loop) write(c *conn, out []byte) {
	n, errno := 0, syscall.Errno(0)
	if len(out) > 0 {
		n, errno = epoll.Send(c.fd, out)
	}
	switch {
	case n == len(out):
		e.answered(c)
	case errno != 0 && errno != unix.EAGAIN:
		e.drop(c)
	default:
		c.pending = append([]byte(nil), out[n:]...)
		// Room that has come since the write is reported as well. Room is watched for
		// only now: on a Unix socket it would be reported at every read of the client.
		if e.poller.Change(c.fd, c.token(), true) != nil {
			e.drop(c)
		}
	}
}

// resume sends pending answers, and then reads on.
func (e *loop) resume(c *conn) {
	n, errno := epoll.Send(c.fd, c.pending)
	if errno != 0 && errno != unix.EAGAIN {
		e.drop(c)
		return
	}
	c.pending = c.pending[n:]
	if len(c.pending) > 0 {
		return
	}
	c.pending = nil // its memory goes: a connection that was slow once holds no more
	if e.poller.Change(c.fd, c.token(), false) != nil {
		e.drop(c)
		return
	}
	e.answered(c)
	if c.fd >= 0 {
		e.queue(c)
	}
}

// answered is called when everything that was to be sent is out. A connection that
// ends is closed if nothing is left unread: else closing would reset it, and the reset
// overtake the answer, so its client closes first.
func (e *loop) answered(c *conn) {
	switch {
	case !c.last || c.deaf:
	case c.tidy:
		e.drop(c)
	default:
		c.deaf = true
		// It fails only if the connection is gone already, which the next read sees.
		_ = unix.Shutdown(c.fd, unix.SHUT_WR)
		e.queue(c)
	}
}

// drop closes c's connection and frees its link.
func (e *loop) drop(c *conn) {
	unix.Close(c.fd)
	c.fd, c.pending, c.speaker = -1, nil, nil
	e.free = append(e.free, c.link)
	if e.starved {
		e.starved = false
		e.accept()
	}
}
