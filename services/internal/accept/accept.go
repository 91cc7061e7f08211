// Package accept accepts connections also through times when the machine is short of
// something.
package accept

import (
	"errors"
	"net"
	"syscall"
	"time"
)

// Waits between attempts to accept while the machine is short of something.
const (
	firstBackoff = 5 * time.Millisecond
	lastBackoff  = time.Second
)

// Next accepts one connection of ln. It waits out a shortage of descriptors or memory:
// the connections that are there are served meanwhile, and ending some cures it. Each
// attempt that fails so goes to report, with the wait before the next. The error is
// net.ErrClosed once closing is closed in such a wait.
func Next(ln net.Listener, closing <-chan struct{}, report func(err error, wait time.Duration)) (net.Conn, error) {
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
