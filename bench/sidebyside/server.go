package main

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/gohone/hone/bench/side"
)

// readyWithin is how long a server may take until it accepts connections.
const readyWithin = 10 * time.Second

// lab is what all measurements share.
type lab struct {
	config
	dir     string // of what was built
	built   map[*program]built
	skipped []skip
}

// server is a process that serves one round.
type server struct {
	*side.Child
	addr  string
	kill  context.CancelFunc
	ended chan struct{} // closed when it has
	err   error         // how, once it has
}

// start starts e's server on the servers' CPU and waits until it accepts connections.
func (l *lab) start(ctx context.Context, e *entrant) (*server, error) {
	addr, err := freeAddress()
	if err != nil {
		return nil, err
	}
	own, kill := context.WithCancel(ctx)
	args := append(e.args[:len(e.args):len(e.args)], "-addr", addr)
	child, err := side.Start(own, l.serverCPU, l.built[e.program].path, side.Command{Args: args})
	if err != nil {
		kill()
		return nil, err
	}
	s := &server{Child: child, addr: addr, kill: kill, ended: make(chan struct{})}
	go func() { // ends with the process
		_, s.err = child.Wait()
		close(s.ended)
	}()
	if err := s.await(ctx); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// await connects until it is accepted.
func (s *server) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	var d net.Dialer
	for {
		c, err := d.DialContext(ctx, "tcp", s.addr)
		if err == nil {
			return c.Close()
		}
		select {
		case <-s.ended:
			return s.fault()
		case <-ctx.Done():
			return fmt.Errorf("wait for the server: %w", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// fault says how the server ended; nil if it has not.
func (s *server) fault() error {
	select {
	case <-s.ended:
		return fmt.Errorf("the server ended: %w", s.err)
	default:
		return nil
	}
}

// stop kills the server: it was measured, and what it would do at its end was not.
func (s *server) stop() {
	s.kill()
	<-s.ended
}

// freeAddress is an address that nobody listened on a moment ago.
func freeAddress() (string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer ln.Close()
	return ln.Addr().String(), nil
}
