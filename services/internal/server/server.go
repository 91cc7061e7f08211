// Package server is what the servers of the reference services have in common: they accept
// connections up to a limit, end those that are idle or stalled, say what went wrong, and
// shut down once what was read is answered. A service keeps its protocol and its stages.
package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/gohone/hone/services/internal/notices"
)

// Options is what a service tells its Core.
type Options[P Peer] struct {
	// Stage is the stage's name, for the log.
	Stage string
	// MaxConns is the number of connections served at a time; one more is closed as soon
	// as it is accepted.
	MaxConns int
	// Timeouts are the watchdog's.
	Timeouts
	// SlowLimit is what a client exceeds that is cut as Slow, for the log.
	SlowLimit slog.Attr
	// Log takes bounded notices of faults. nil means that nothing is logged.
	Log *slog.Logger
	// Tick, if set, runs with each look of the watchdog.
	Tick func()
	// Retire, if set, adds up what a peer has done that goes. Snapshot waits meanwhile.
	Retire func(P)
	// Engine serves the connections that are not peers, if the stage has such.
	Engine Engine
}

// Engine is a set of connections that a stage serves without a goroutine for each. The stage
// calls Core.Leave for each that ends. Core calls the methods in this order, from Shutdown.
type Engine interface {
	// Finish ends all connections, those that come later too, once what was read is
	// answered. It does not wait for them.
	Finish()
	// Abort closes all as they are, those that come later too. It does not wait either.
	Abort()
	// Quit ends the engine's goroutines, if any run, and waits for them. Every connection
	// has gone.
	Quit()
}

// Counts is what every server counts.
type Counts struct {
	// Connected is the number of clients connected now.
	Connected int
	// Accepted counts the connections that were served; Refused those closed at once
	// because MaxConns were there already, or the server was shutting down.
	Accepted, Refused uint64
	// AcceptFaults counts the failures to accept that were waited out.
	AcceptFaults uint64
	// Idle and Stalled count the connections closed by IdleTimeout and WriteTimeout, Slow
	// those whose clients did not keep up with what they were sent.
	Idle, Stalled, Slow uint64
	// Lost counts the connections that broke: reset by the client or the network, or
	// ended by the client within a frame.
	Lost uint64
	// BadFrames counts the connections closed for a bad frame, by its Cause.
	BadFrames [maxCauses]uint64
}

// Core is a service's server without its protocol. It serves one listener.
type Core[P Peer] struct {
	Notices *notices.Log

	opts    Options[P]
	start   time.Time      // what the watchdog counts from
	closing chan struct{}  // closed when Shutdown begins
	quit    chan struct{}  // closed when the last connection of a shutdown has gone
	live    sync.WaitGroup // one for each connection; added to under mu while closing is open
	watcher sync.WaitGroup

	mu       sync.Mutex
	listener net.Listener
	peers    map[P]struct{}
	aborted  bool
	counts   Counts
}

// New returns a Core that does not listen yet.
func New[P Peer](opts Options[P]) *Core[P] {
	return &Core[P]{
		Notices: notices.New(opts.Log),
		opts:    opts,
		start:   time.Now(),
		closing: make(chan struct{}),
		quit:    make(chan struct{}),
		peers:   make(map[P]struct{}),
	}
}

// Errors of Serve that a caller may want to tell apart.
var (
	// ErrServing means that the server has a listener already.
	ErrServing = errors.New("server serves a listener already")
	// ErrShutdown means that the server was shut down before.
	ErrShutdown = errors.New("server was shut down")
)

// Serve runs serve on ln, whose Accept returns only connections that are admitted, and owns
// ln from here on, also when it fails. It returns nil once Shutdown has begun, which the
// caller then waits for, and an error if serve ends for another reason; connections that
// are there are served until Shutdown in either case.
func (c *Core[P]) Serve(ln net.Listener, serve func(net.Listener) error) error {
	err := c.begin(ln)
	if err == nil {
		err = serve(gate[P]{ln, c})
		if c.Closing() {
			return nil
		}
	}
	ln.Close()
	return fmt.Errorf("serve %v: %w", ln.Addr(), err)
}

// begin notes the listener and starts the watchdog, which ends with Shutdown.
func (c *Core[P]) begin(ln net.Listener) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.mayServe(); err != nil {
		return err
	}
	c.listener = ln
	if c.opts.Timeouts != (Timeouts{}) {
		c.watcher.Go(c.watch)
	}
	return nil
}

// Setup runs do while Serve cannot begin. late is the error that Serve would have: the
// server has begun to serve, or was shut down.
func (c *Core[P]) Setup(do func(late error) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return do(c.mayServe())
}

func (c *Core[P]) mayServe() error {
	switch {
	case c.Closing():
		return ErrShutdown
	case c.listener != nil:
		return ErrServing
	}
	return nil
}

// Closing says whether Shutdown has begun.
func (c *Core[P]) Closing() bool {
	select {
	case <-c.closing:
		return true
	default:
		return false
	}
}

// Snapshot returns the counts. Meanwhile no peer comes, goes or retires; see is shown them all.
func (c *Core[P]) Snapshot(see func(peers map[P]struct{})) Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	see(c.peers)
	return c.counts
}

// Shutdown stops accepting, has every request answered that was read, and closes the
// connections. Once ctx ends it waits no longer, closes those that are left as they are,
// and says so in its error. Every goroutine of the server has ended when it returns. A
// second call waits too.
func (c *Core[P]) Shutdown(ctx context.Context) error {
	first := c.stop()
	gone := make(chan struct{})
	go func() { // ends with the connections, which this function ends
		c.live.Wait()
		close(gone)
	}()
	var err error
	select {
	case <-gone:
	case <-ctx.Done():
		err = c.abort(ctx)
		<-gone
	}
	if first {
		if c.opts.Engine != nil {
			c.opts.Engine.Quit()
		}
		close(c.quit)
	}
	<-c.quit
	c.watcher.Wait()
	c.Notices.Settle()
	return err
}

// stop closes the listener and cuts every connection; it is true the first time.
func (c *Core[P]) stop() bool {
	c.mu.Lock()
	if c.Closing() {
		c.mu.Unlock()
		return false
	}
	close(c.closing)
	if c.listener != nil {
		c.listener.Close()
	}
	for p := range c.peers {
		p.Cut(Shutdown)
	}
	c.mu.Unlock()
	if c.opts.Engine != nil {
		c.opts.Engine.Finish()
	}
	return true
}

// abort closes the connections that are left and says how many there were.
func (c *Core[P]) abort(ctx context.Context) error {
	c.mu.Lock()
	c.aborted = true
	left := c.counts.Connected
	for p := range c.peers {
		p.Close()
	}
	c.mu.Unlock()
	if left == 0 {
		return nil
	}
	if c.opts.Engine != nil {
		c.opts.Engine.Abort()
	}
	return fmt.Errorf("shut down: %d connections closed with answers owed: %w", left, context.Cause(ctx))
}
