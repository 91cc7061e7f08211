package rpc

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gohone/hone/services/internal/settings"
)

// pipelinedTransport is a client's few connections and its clock.
type pipelinedTransport struct {
	cfg   *ClientConfig
	spots []spot
	next  atomic.Uint32 // spreads calls over the spots

	// tick is the clock that calls without an end of their own go by: it moves on every
	// period. So a call costs no timer and asks no clock.
	tick   atomic.Uint32
	period time.Duration
	ticks  uint32 // of a call

	ctx    context.Context // ends with close
	cancel context.CancelFunc
	clock  sync.WaitGroup
}

// spot is a place for a connection.
type spot struct {
	link atomic.Pointer[link] // nil before the first call
	turn chan struct{}        // holds a token while no caller dials
}

// Defaults and bounds of pipelinedTransport.
const (
	defaultPipelined = 2  // connections
	timeoutParts     = 20 // how finely the clock measures timeouts
	heartbeatParts   = 4  // and heartbeats
)

func connectPipelined(cfg *ClientConfig) transport {
	settings.Default(&cfg.Conns, defaultPipelined)
	t := &pipelinedTransport{cfg: cfg, spots: make([]spot, cfg.Conns)}
	for i := range t.spots {
		t.spots[i].turn = make(chan struct{}, 1)
		t.spots[i].turn <- struct{}{}
	}
	t.period = max(time.Millisecond, min(cfg.Timeout/timeoutParts, cfg.Heartbeat/heartbeatParts))
	t.ticks = uint32((cfg.Timeout+t.period-1)/t.period) + 1 // the current one has begun already
	t.ctx, t.cancel = context.WithCancel(context.Background())
	t.clock.Go(t.run)
	return t
}

// run moves the clock on until close.
func (t *pipelinedTransport) run() {
	ticker := time.NewTicker(t.period)
	defer ticker.Stop()
	for {
		select {
		case <-t.ctx.Done():
			return
		case now := <-ticker.C:
			t.tick.Add(1)
			for i := range t.spots {
				if l := t.spots[i].link.Load(); l != nil && !l.dead.Load() {
					l.beat(now)
				}
			}
		}
	}
}

// attempts is how often a call looks for a connection that lives until the call is on
// it. What was sent once is never sent again.
const attempts = 3

func (t *pipelinedTransport) call(ctx context.Context, c call) error {
	var err error
	for range attempts {
		s := &t.spots[t.next.Add(1)%uint32(len(t.spots))]
		l := s.link.Load()
		if l == nil || l.dead.Load() {
			if l, err = t.connect(ctx, s); err != nil {
				return err
			}
		}
		if err = l.call(ctx, &c, t.ticks); !errors.Is(err, errNotSent) {
			return err
		}
	}
	return err
}

// connect dials for s, unless another caller does so first.
func (t *pipelinedTransport) connect(ctx context.Context, s *spot) (*link, error) {
	ctx, cancel := context.WithTimeout(ctx, t.cfg.Timeout)
	defer cancel()
	defer context.AfterFunc(t.ctx, cancel)()
	select {
	case <-s.turn:
	case <-ctx.Done():
		return nil, t.interrupted(ctx)
	}
	defer func() { s.turn <- struct{}{} }()
	if l := s.link.Load(); l != nil && !l.dead.Load() {
		return l, nil
	}
	if t.ctx.Err() != nil {
		return nil, ErrClosed
	}
	conn, err := t.cfg.dial(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, t.interrupted(ctx)
		}
		return nil, err
	}
	l := newLink(t.cfg, conn, &t.tick)
	if old := s.link.Swap(l); old != nil {
		old.owners.Wait() // it is dead: its goroutines end
	}
	return l, nil
}

// interrupted says what ended a dial.
func (t *pipelinedTransport) interrupted(ctx context.Context) error {
	if t.ctx.Err() != nil {
		return ErrClosed
	}
	return fmt.Errorf("connect: %w", context.Cause(ctx))
}

func (t *pipelinedTransport) close() {
	t.cancel()
	t.clock.Wait()
	for i := range t.spots {
		s := &t.spots[i]
		<-s.turn // a dial under way ends with t.ctx
		if l := s.link.Load(); l != nil {
			l.kill(ErrClosed)
			l.owners.Wait()
		}
		s.turn <- struct{}{}
	}
}
