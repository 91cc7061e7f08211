package framed

import (
	"syscall"
	"time"

	"github.com/gohone/hone/internal/sys/epoll"
	"golang.org/x/sys/unix"

	"github.com/gohone/hone/services/internal/server"
)

// parting is a link that lingers, until when at most.
type parting struct {
	link, generation int32
	until            time.Time
}

// linger ends the sending side of link i and discards what the client still sends, until
// it ends too: see server.Linger for the reason and the bounds.
func (l *loop) linger(i int32) {
	k := &l.links[i]
	if unix.Shutdown(k.fd, unix.SHUT_WR) != nil {
		l.drop(i, true)
		return
	}
	k.state = lingering
	l.partings = append(l.partings, parting{i, k.generation, time.Now().Add(server.LingerTime)})
	l.discard(i)
}

// discard reads what link i still has, and drops it.
func (l *loop) discard(i int32) {
	k := &l.links[i]
	for {
		n, errno := epoll.Recv(k.fd, l.in)
		switch {
		case errno == syscall.EINTR:
			continue
		case errno == syscall.EAGAIN:
			return
		case errno != 0 || n == 0:
			l.drop(i, false)
			return
		}
		if k.discarded += int32(n); k.discarded >= server.LingerBytes {
			l.drop(i, false)
			return
		}
		if n == len(l.in) {
			l.recall(i)
			return
		}
		if !k.ended {
			return
		}
	}
}

// expire drops the links that have lingered long enough.
func (l *loop) expire(now time.Time) {
	due := 0
	for ; due < len(l.partings) && !now.Before(l.partings[due].until); due++ {
		p := l.partings[due]
		if k := &l.links[p.link]; k.generation == p.generation && k.state == lingering {
			l.drop(p.link, false)
		}
	}
	if due > 0 {
		l.partings = append(l.partings[:0], l.partings[due:]...)
	}
}

// finish ends link i once its answers are out. There are none for what was not read.
func (l *loop) finish(i int32) {
	k := &l.links[i]
	if k.state != open || k.why != server.NotCut {
		return
	}
	k.why = server.Shutdown
	if len(k.unsent) == 0 {
		l.linger(i)
	}
}

// sweep ends link i if it is idle or stalled.
func (l *loop) sweep(i int32, now time.Duration) {
	k := &l.links[i]
	if k.state != open {
		return // lingering has an end of its own
	}
	why := k.seen.Check(server.StateOf(k.requests, k.writes), now, &l.server.timeouts)
	if why == server.NotCut {
		return
	}
	k.why = why
	if why == server.Stalled {
		// The kernel drops what it holds for the client instead of keeping it.
		_ = unix.SetsockoptLinger(k.fd, unix.SOL_SOCKET, unix.SO_LINGER, &unix.Linger{Onoff: 1})
	}
	l.drop(i, false)
}
