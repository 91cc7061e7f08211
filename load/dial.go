package load

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"
)

// dialsAtOnce bounds the connects under way at a time: below the shortest listen
// backlog in use (128, the default of older kernels), so that no SYN is lost.
const dialsAtOnce = 64

// dialAll opens all connections of the plan, each within Plan.Timeout. After the
// first error it stops and closes what it opened.
func dialAll(ctx context.Context, plan Plan, dial Dialer) ([]net.Conn, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	conns := make([]net.Conn, plan.Connections)
	numbers := make(chan int)
	var wg sync.WaitGroup
	for range min(dialsAtOnce, plan.Connections) {
		wg.Go(func() {
			for i := range numbers {
				conn, err := dialOne(ctx, plan.Timeout, dial)
				if err != nil {
					cancel(fmt.Errorf("dial connection %d of %d: %w", i+1, plan.Connections, err))
					continue
				}
				conns[i] = conn
			}
		})
	}
	began := time.Now()
	for i := range conns {
		due := began.Add(plan.ConnectOver / time.Duration(len(conns)) * time.Duration(i))
		if !sleepUntil(ctx, due) {
			break
		}
		numbers <- i
	}
	close(numbers)
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		for _, c := range conns {
			if c != nil {
				c.Close()
			}
		}
		return nil, err
	}
	return conns, nil
}

// sleepUntil waits for t; false if ctx ended first.
func sleepUntil(ctx context.Context, t time.Time) bool {
	d := time.Until(t)
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// timeDials is dial, with the time of each connect that worked told to took.
func timeDials(dial Dialer, took func(time.Duration)) Dialer {
	return func(ctx context.Context) (net.Conn, error) {
		began := time.Now()
		c, err := dial(ctx)
		if err == nil {
			took(time.Since(began))
		}
		return c, err
	}
}

func dialOne(ctx context.Context, timeout time.Duration, dial Dialer) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return dial(ctx)
}

// redialer replaces lost connections, each in a goroutine of its own that ends when
// it has a connection or the redialer is closed.
type redialer struct {
	dial    Dialer
	timeout time.Duration
	life    context.Context
	end     context.CancelFunc
	slots   chan struct{} // bounds the connects under way

	mu      sync.Mutex // orders replace against close
	closed  bool
	running sync.WaitGroup
}

func newRedialer(dial Dialer, timeout time.Duration) *redialer {
	r := &redialer{dial: dial, timeout: timeout, slots: make(chan struct{}, dialsAtOnce)}
	r.life, r.end = context.WithCancel(context.Background())
	return r
}

// replace dials again for a link of e, first after wait, then with growing waits.
// Every attempt that goes wrong is posted as a fault.
func (r *redialer) replace(e engine, link int, wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.running.Go(func() { r.run(e, link, wait) })
}

func (r *redialer) run(e engine, link int, wait time.Duration) {
	for r.sleep(wait) {
		conn, err := r.attempt()
		if r.life.Err() != nil {
			if err == nil {
				conn.Close()
			}
			return
		}
		if err == nil {
			if !e.post(mail{kind: mailConn, link: link, conn: conn}) {
				conn.Close()
			}
			return
		}
		e.post(mail{kind: mailFault, link: link, err: err})
		wait = nextBackoff(wait)
	}
}

func (r *redialer) attempt() (net.Conn, error) {
	select {
	case r.slots <- struct{}{}:
	case <-r.life.Done():
		return nil, r.life.Err()
	}
	defer func() { <-r.slots }()
	return dialOne(r.life, r.timeout, r.dial)
}

// sleep waits; false if the redialer is closed.
func (r *redialer) sleep(d time.Duration) bool {
	return sleepUntil(r.life, time.Now().Add(d))
}

// close ends all attempts and waits for their goroutines.
func (r *redialer) close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.end()
	r.running.Wait()
}
