package framed

import (
	"encoding/binary"
	"errors"
	"net"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/sys/epoll"

	"github.com/gohone/hone/services/internal/server"
)

// link is a loop's end of one connection. One that is idle is these bytes and no more.
type link struct {
	fd         int
	generation int32 // counts the connections that had this number
	discarded  int32 // bytes, while lingering
	state      state
	ended      bool // the client sends no more: read to the end, which is near
	again      bool // in the loop's list

	// part is the front of one frame, in the loop's store. nil if there is none.
	part []byte
	// unsent are answers that the kernel had no room for. While there are some the link
	// does not read.
	unsent []byte
	torn   uint8 // bytes of an answer of which the kernel has taken the front only

	why server.Reason // why the server ends the link, or server.NotCut
	bad error         // a *FrameError, likewise; the link ends once unsent is out

	requests, writes uint64 // for seen, as a peer's
	seen             server.Pulse
	remote           net.Addr
}

type state uint8

const (
	vacant    state = iota
	open            // reads and answers
	lingering       // has said all; reads to the end so that it is heard
)

// adopt takes over a connection. What has arrived before causes an event.
func (l *loop) adopt(a arrival) {
	var i int32
	if n := len(l.vacant); n > 0 {
		i, l.vacant = l.vacant[n-1], l.vacant[:n-1]
	} else {
		i = int32(len(l.links))
		l.links = append(l.links, link{})
	}
	k := &l.links[i]
	*k = link{fd: a.fd, generation: k.generation + 1, state: open, remote: a.remote}
	if err := l.poller.Watch(k.fd, l.token(i), false); err != nil { // out of memory
		l.drop(i, true)
		return
	}
	if l.finishing {
		l.finish(i)
	}
}

func (l *loop) token(i int32) epoll.Token {
	return epoll.Token{Link: i, Generation: l.links[i].generation}
}

// receive reads what link i has and answers it, with one write for each read.
//
// A read that does not fill the buffer has drained the socket: what comes later is a
// new event. Only the end has been announced already, if ended is set.
func (l *loop) receive(i int32) {
	k := &l.links[i]
	for {
		n, errno := epoll.Recv(k.fd, l.in)
		switch {
		case errno == syscall.EINTR:
			continue
		case errno == syscall.EAGAIN:
			return
		case errno != 0:
			l.drop(i, true)
			return
		case n == 0:
			l.drop(i, len(k.part) > 0)
			return
		}
		l.moved.received += uint64(n)
		answers, err := l.answer(k, l.in[:n])
		k.bad = err
		if !l.send(i, l.out[:answers*AckSize]) {
			return
		}
		if err != nil {
			l.linger(i)
			return
		}
		if n == len(l.in) {
			l.recall(i) // others first
			return
		}
		if !k.ended {
			return
		}
	}
}

// recall has link i go on in the next turn.
func (l *loop) recall(i int32) {
	if k := &l.links[i]; !k.again {
		k.again = true
		l.again = append(l.again, i)
	}
}

// answer writes the answers to what was read into out, keeps what is left of it, and
// returns the number of answers.
func (l *loop) answer(k *link, in []byte) (answers int, bad error) {
	out := l.out
	for len(k.part) > 0 && len(in) > 0 {
		n := min(missing(k.part), len(in))
		k.part = l.store.append(k.part, in[:n])
		in = in[n:]
		var whole int
		_, whole, bad = answerFrames(k.part, out)
		if whole > 0 || bad != nil {
			k.part = l.store.free(k.part)
		}
		answers, out = answers+whole, out[whole*AckSize:]
	}
	if bad == nil {
		var whole int
		in, whole, bad = answerFrames(in, out)
		answers += whole
	}
	if bad == nil && len(in) > 0 {
		k.part = l.store.append(nil, in)
	}
	k.requests += uint64(answers)
	l.moved.requests += uint64(answers)
	return answers, bad
}

// missing is how many bytes part, the front of a frame, lacks: to the end of its length
// field, or of itself.
func missing(part []byte) int {
	if len(part) < lengthSize {
		return lengthSize - len(part)
	}
	return int(binary.BigEndian.Uint32(part)) - len(part)
}

// send writes out, and keeps what the kernel has no room for. It is false if the link
// must not go on: it has answers waiting, or is gone.
func (l *loop) send(i int32, out []byte) bool {
	if len(out) == 0 {
		return true
	}
	k := &l.links[i]
	n, errno := write(k.fd, out)
	if errno != 0 {
		l.drop(i, true)
		return false
	}
	l.sent(k, n)
	if n == len(out) {
		return true
	}
	k.unsent = append([]byte(nil), out[n:]...)
	k.writes++ // a write has begun
	if err := l.poller.Change(k.fd, l.token(i), true); err != nil {
		l.drop(i, true)
	}
	return false
}

// drain writes what is unsent. It is false if the link must not go on.
func (l *loop) drain(i int32) bool {
	k := &l.links[i]
	n, errno := write(k.fd, k.unsent)
	if errno != 0 {
		l.drop(i, true)
		return false
	}
	l.sent(k, n)
	if k.unsent = k.unsent[n:]; len(k.unsent) > 0 {
		return false
	}
	k.unsent = nil
	k.writes++ // and ended
	if k.why != server.NotCut || k.bad != nil {
		l.linger(i)
		return false
	}
	return true
}

// write writes what the kernel takes of b, maybe nothing.
func write(fd int, b []byte) (n int, errno syscall.Errno) {
	for {
		n, errno = epoll.Send(fd, b)
		switch errno {
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
			return 0, 0
		}
		return n, errno
	}
}

// sent counts n bytes of answers.
func (l *loop) sent(k *link, n int) {
	l.moved.sent += uint64(n)
	n += int(k.torn)
	l.moved.responses += uint64(n / AckSize)
	k.torn = uint8(n % AckSize)
}

var errBroken = errors.New("broken by the client or the network")

// drop closes link i as it is. broken says that the client or the network has ended it
// out of order.
func (l *loop) drop(i int32, broken bool) {
	k := &l.links[i]
	unix.Close(k.fd)
	k.state, k.again = vacant, false
	k.part, k.unsent = l.store.free(k.part), nil
	e := server.Ending{Why: k.why, Err: k.bad}
	if broken && e.Err == nil {
		e.Err = errBroken
	}
	l.left = append(l.left, departure{link: i, ending: e})
}
