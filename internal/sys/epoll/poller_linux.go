package epoll

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"
)

// Poller is an epoll instance with an eventfd that wakes it. One thread owns it; Wake
// alone may be called from others.
type Poller struct {
	ep, wakeup int
	events     []Event
	one        [8]byte // what a wake writes; never changes
	// coarse is set once the kernel has shown that it has no epoll_pwait2.
	coarse bool
}

// Token is what a watch gives back with each of its events.
type Token struct {
	// Link is the caller's number for the connection, from 0.
	Link int32
	// Generation tells events of a connection from those of the one that had its
	// Link, or its descriptor, before: a batch may still hold events of a connection
	// that was closed while the batch was handled. And a close ends a watch only once
	// no process has the socket open, which a fork can delay until its exec.
	Generation int32
}

// WakeLink is the Link of the event that Wake causes. Negative numbers below it are
// free for the caller's own use, a listener for instance.
const WakeLink = -1

// Event says that something has come on a watched descriptor.
type Event unix.EpollEvent

// Token returns what the watch was given.
func (e *Event) Token() Token { return Token{Link: e.Fd, Generation: e.Pad} }

// Room says that a write would find room.
func (e *Event) Room() bool { return e.Events&unix.EPOLLOUT != 0 }

// Hangup says that the peer will send no more: the end of the stream, or an error, is
// near, maybe behind data not yet read.
func (e *Event) Hangup() bool {
	return e.Events&(unix.EPOLLRDHUP|unix.EPOLLHUP|unix.EPOLLERR) != 0
}

// New makes a poller that returns at most the given number of events at a time, at
// least 1. A few hundred are plenty: more events are simply the next batch's.
func New(events int) (*Poller, error) {
	ep, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("create epoll: %w", err)
	}
	wakeup, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		unix.Close(ep)
		return nil, fmt.Errorf("create eventfd: %w", err)
	}
	p := &Poller{ep: ep, wakeup: wakeup, events: make([]Event, max(events, 1))}
	binary.NativeEndian.PutUint64(p.one[:], 1)
	ev := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLET, Fd: WakeLink}
	if err := unix.EpollCtl(ep, unix.EPOLL_CTL_ADD, wakeup, &ev); err != nil {
		p.Close()
		return nil, fmt.Errorf("add eventfd to epoll: %w", err)
	}
	return p, nil
}

// Close gives the poller's own descriptors back, not the watched ones. The caller
// must rule out a Wake at the same time or later, by a lock for instance: it would
// write to a descriptor that may already be something else.
func (p *Poller) Close() {
	unix.Close(p.wakeup)
	unix.Close(p.ep)
}

// Wake ends the owner's sleep, or the next one if it is awake, with an event of
// WakeLink; several wakes may arrive as one. Any thread may call it. The watch is
// edge-triggered and each write is an edge, so the eventfd need not be read.
func (p *Poller) Wake() {
	// An eventfd refuses only at 2^64-1 wakes.
	_, _ = unix.Write(p.wakeup, p.one[:])
}

// always are the events that every descriptor is watched for.
const always = unix.EPOLLIN | unix.EPOLLRDHUP | unix.EPOLLET

// Watch begins to watch fd, a connection or a listener. What is there already counts
// as new. room asks for events of Room as well: only while a write is blocked, since
// on a Unix socket they would come with every read of the peer. The watch ends when fd
// is closed (but see Token). Watch and Change may be called from any thread while the
// poller is open: they touch nothing but the kernel's list.
func (p *Poller) Watch(fd int, t Token, room bool) error {
	if err := p.control(unix.EPOLL_CTL_ADD, fd, t, room); err != nil {
		return fmt.Errorf("add descriptor to epoll: %w", err)
	}
	return nil
}

// Change replaces what a watched fd is watched for. The kernel looks at fd afresh, so
// room that came just before is not missed.
func (p *Poller) Change(fd int, t Token, room bool) error {
	if err := p.control(unix.EPOLL_CTL_MOD, fd, t, room); err != nil {
		return fmt.Errorf("change watch in epoll: %w", err)
	}
	return nil
}

func (p *Poller) control(op, fd int, t Token, room bool) error {
	ev := unix.EpollEvent{Events: always, Fd: t.Link, Pad: t.Generation}
	if room {
		ev.Events |= unix.EPOLLOUT
	}
	return unix.EpollCtl(p.ep, op, fd, &ev)
}
