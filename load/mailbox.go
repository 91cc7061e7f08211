package load

import (
	"net"
	"sync"
)

// mail is one message to a shard's event loop.
type mail struct {
	kind mailKind
	// order belongs to mailBegin.
	order order
	// link is the place in the shard that mailConn and mailFault are about.
	link int
	conn net.Conn
	err  error
	// done is where mailQuit's last report goes; it never blocks.
	done chan<- report
}

type mailKind uint8

const (
	mailBegin mailKind = iota // start a stretch
	mailStop                  // end the stretch now
	mailEnd                   // end its sending now
	mailConn                  // a connection was replaced
	mailFault                 // an attempt to replace it went wrong
	mailQuit                  // report, close all connections, end
)

// mailbox passes messages to an event loop, which is woken from its sleep by wake.
type mailbox struct {
	mu     sync.Mutex
	mails  []mail
	closed bool
	wake   func()
}

// post queues m; false if the loop has ended, and m is still the caller's.
func (b *mailbox) post(m mail) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.mails = append(b.mails, m)
	b.wake()
	return true
}

// take empties the box.
func (b *mailbox) take() []mail {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := b.mails
	b.mails = nil
	return m
}

// close refuses further mail and returns what was not read.
func (b *mailbox) close() []mail {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	m := b.mails
	b.mails = nil
	return m
}
