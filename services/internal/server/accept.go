package server

import (
	"errors"
	"log/slog"
	"net"
	"syscall"
	"time"
)

// gate is a listener that admits connections up to the limit.
type gate[P Peer] struct {
	net.Listener
	core *Core[P]
}

// Accept returns the next connection that is admitted. Core.Leave is to be called for it.
func (g gate[P]) Accept() (net.Conn, error) {
	for {
		conn, err := acceptNext(g.Listener, g.core.closing, g.core.acceptFault)
		if err != nil || g.core.admit(conn) {
			return conn, err
		}
	}
}

// AcceptAll hands the connections of ln to take, until ln is closed.
func AcceptAll(ln net.Listener, take func(net.Conn)) error {
	for {
		conn, err := ln.Accept()
		if err != nil {
			return err
		}
		take(conn)
	}
}

// acceptFault counts and logs that the machine is short of something.
func (c *Core[P]) acceptFault(err error, wait time.Duration) {
	c.mu.Lock()
	c.counts.AcceptFaults++
	c.mu.Unlock()
	c.Notices.WarnAs("accept", "accept connection", slog.Any("err", err), slog.Duration("retry_in", wait))
}

// admit counts conn in, or closes it if the server is full or shuts down.
func (c *Core[P]) admit(conn net.Conn) bool {
	c.mu.Lock()
	full := c.counts.Connected >= c.opts.MaxConns
	ok := !full && !c.Closing()
	if ok {
		c.counts.Accepted++
		c.counts.Connected++
		c.live.Add(1)
	} else {
		c.counts.Refused++
	}
	c.mu.Unlock()
	if !ok {
		conn.Close()
	}
	if full { // logged without the lock: a log may block
		c.Notices.WarnAs("refused", "refuse connection: limit reached",
			slog.String("remote", conn.RemoteAddr().String()), slog.Int("max_conns", c.opts.MaxConns))
	}
	return ok
}

// Waits between attempts to accept while the machine is short of something.
const (
	firstBackoff = 5 * time.Millisecond
	lastBackoff  = time.Second
)

// acceptNext accepts one connection of ln. It waits out a shortage of descriptors or memory:
// the connections that are there are served meanwhile, and ending some cures it. Each
// attempt that fails so goes to report, with the wait before the next. The error is
// net.ErrClosed once closing is closed in such a wait.
func acceptNext(ln net.Listener, closing <-chan struct{}, report func(err error, wait time.Duration)) (net.Conn,
	error) {
	for wait := firstBackoff; ; wait = min(2*wait, lastBackoff) {
		conn, err := ln.Accept()
		if err == nil || !passing(err) {
			return conn, err
		}
		report(err, wait)
		select {
		case <-closing:
			return nil, net.ErrClosed
		case <-time.After(wait):
		}
	}
}

// passing says whether accepting may work again later.
func passing(err error) bool {
	for _, shortage := range []error{
		syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED,
	} {
		if errors.Is(err, shortage) {
			return true
		}
	}
	return false
}
