// Package agents loads programs from other machines. The agents there, and the coordinator that speaks with them, are
// the program hone-agent: hone starts it as a child process, and asks it over its standard input and output. When hone
// ends, however it ends, its end of these pipes closes, and the coordinator ends the load.
package agents

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/gohone/hone/internal/conduct/loadtest"
)

// Coordinator is hone's side of a coordinator.
type Coordinator struct {
	// Tester is what results are made and kept with. Its Progress hears the coordinator's.
	*loadtest.Tester
	setup  Setup
	lines  *Lines
	latest atomic.Uint64 // ID of a call
	mu     sync.Mutex
	calls  map[uint64]*call // under way
	ended  chan struct{}    // closed when nothing more comes
	why    error            // then
	end    func()           // ends the process, and waits for it
}

// call is one that is under way. Its answers are taken until left is closed.
type call struct {
	answers chan Answer
	left    chan struct{}
}

// Connect begins a coordinator at the other end of lines, which end it.
func Connect(ctx context.Context, lines *Lines, s Setup, t *loadtest.Tester) (*Coordinator, error) {
	c := newCoordinator(lines, s, t)
	return c, c.begin(ctx, func(err error) error { return err })
}

func newCoordinator(lines *Lines, s Setup, t *loadtest.Tester) *Coordinator {
	return &Coordinator{Tester: t, setup: s, lines: lines, calls: map[uint64]*call{}, ended: make(chan struct{}),
		end: func() {}}
}

// begin tells the coordinator what holds for all calls. gone makes the reason why nothing more comes out of the error
// of the lines, once nothing does.
func (c *Coordinator) begin(ctx context.Context, gone func(error) error) error {
	go c.hear(gone) // ends with the lines
	_, err := c.do(ctx, ctx, Call{Do: Begin, Setup: &c.setup}, nil)
	return err
}

// Close ends the coordinator, and the load of its agents.
func (c *Coordinator) Close() { c.end() }

// hear hands each answer to its call.
func (c *Coordinator) hear(gone func(error) error) {
	defer close(c.ended)
	for {
		var a Answer
		if err := c.lines.Receive(&a); err != nil {
			c.why = gone(err)
			return
		}
		c.mu.Lock()
		one := c.calls[a.ID]
		c.mu.Unlock()
		if one == nil {
			continue // its caller has left
		}
		select {
		case one.answers <- a:
		case <-one.left:
		}
	}
}

// do carries out a call to its end, and gives it its ID. news takes what comes before, but for progress; it may be nil.
// The end of soft stops the call, that of hard cancels it.
func (c *Coordinator) do(soft, hard context.Context, what Call, news func(Answer) error) (last Answer, err error) {
	one := &call{answers: make(chan Answer), left: make(chan struct{})}
	defer close(one.left)
	what.ID = c.latest.Add(1)
	c.mu.Lock()
	c.calls[what.ID] = one
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.calls, what.ID)
	}()
	if err := c.send(what); err != nil {
		return last, err
	}
	// What cannot be sent any more has ended anyway.
	defer context.AfterFunc(soft, func() { _ = c.lines.Send(Call{ID: what.ID, Do: Stop}) })()
	defer context.AfterFunc(hard, func() { _ = c.lines.Send(Call{ID: what.ID, Do: Cancel}) })()
	var failed error
	for {
		select {
		case a := <-one.answers:
			if a.End {
				return a, errors.Join(failed, a.Fault.Err())
			}
			c.tell(a)
			if failed != nil || news == nil {
				continue
			}
			if failed = news(a); failed != nil {
				_ = c.lines.Send(Call{ID: what.ID, Do: Cancel})
			}
		case <-c.ended:
			return last, c.why
		}
	}
}

// send sends a call. If the coordinator has ended, why is the reason.
func (c *Coordinator) send(what Call) error {
	err := c.lines.Send(what)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, os.ErrClosed) || errors.Is(err, io.ErrClosedPipe) {
		<-c.ended
		return c.why
	}
	return err
}

// tell hands on what the coordinator says of its progress.
func (c *Coordinator) tell(a Answer) {
	switch {
	case a.Phase != nil:
		c.Progress.Phase(a.Phase.Name, a.Phase.Expected)
	case a.Tick != nil:
		c.Progress.Tick(*a.Tick)
	case a.Warn != "":
		c.Progress.Warn(a.Warn)
	}
}
