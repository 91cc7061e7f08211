package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/gohone/hone/internal/conduct/agents"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/load"
)

// desk carries out the calls of a hone, each in a goroutine that ends with the call.
type desk struct {
	lines *agents.Lines
	begin func(agents.Setup) (*Coordinator, func(), error)

	working sync.WaitGroup
	mu      sync.Mutex
	calls   map[uint64]underWay // that are under way
	open    map[uint64]*Session // by the ID of the call that opened them
	// Of the first call, and of the second for measurements; no calls come before these have ended.
	coordinator *Coordinator
	end         func()
	group       *Group
}

// underWay ends a call: stop its sending, cancel all of it.
type underWay struct{ stop, cancel context.CancelFunc }

// endWithin bounds how long the end of a desk may take: agents that do not answer count as lost before.
const endWithin = 4 * time.Second

// Serve carries out what a hone asks for at the other end of lines, until the lines or ctx end. Then it ends the load
// of all agents. begin makes the coordinator, and a function that ends its link.
func Serve(ctx context.Context, lines *agents.Lines, begin func(agents.Setup) (*Coordinator, func(), error)) error {
	d := &desk{lines: lines, begin: begin, calls: map[uint64]underWay{}, open: map[uint64]*Session{}, end: func() {}}
	calls, broken := make(chan agents.Call), make(chan error, 1)
	ctx, cancel := context.WithCancel(ctx)
	go func() { // ends with the lines
		for {
			var c agents.Call
			if err := lines.Receive(&c); err != nil {
				broken <- err
				return
			}
			select {
			case calls <- c:
			case <-ctx.Done():
			}
		}
	}()
	defer d.close()
	defer cancel()
	for {
		select {
		case c := <-calls:
			d.take(ctx, c)
		case err := <-broken:
			if errors.Is(err, io.EOF) {
				return nil
			}
			return fail.New(fail.Environment, "listen to hone: %w", err)
		case <-ctx.Done():
			return fail.New(fail.Environment, "a signal ended hone-agent, and the load with it")
		}
	}
}

// take begins a call, or ends one.
func (d *desk) take(ctx context.Context, c agents.Call) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch now, known := d.calls[c.ID]; {
	case c.Do == agents.Stop && known:
		now.stop()
	case c.Do == agents.Cancel && known:
		now.cancel()
	case c.Do == agents.Stop || c.Do == agents.Cancel: // it has ended
	default:
		hard, cancel := context.WithCancel(ctx)
		soft, stop := context.WithCancel(hard)
		d.calls[c.ID] = underWay{stop, cancel}
		d.working.Go(func() {
			last := d.answer(soft, hard, c)
			cancel()
			d.mu.Lock()
			delete(d.calls, c.ID)
			d.mu.Unlock()
			last.ID, last.End = c.ID, true
			d.say(last)
		})
	}
}

// say sends an answer. Where hone has ended no one hears it, and the lines end, too.
func (d *desk) say(a agents.Answer) { _ = d.lines.Send(a) }

// answer carries out a call.
func (d *desk) answer(soft, hard context.Context, c agents.Call) (last agents.Answer) {
	err := d.carryOut(soft, hard, c, &last)
	if err != nil {
		return agents.Answer{Fault: agents.FaultOf(err)}
	}
	return last
}

func (d *desk) carryOut(soft, hard context.Context, c agents.Call, last *agents.Answer) (err error) {
	lacks := errors.New("the call lacks what it is about")
	if c.Do == agents.Begin {
		if c.Setup == nil || d.coordinator != nil {
			return lacks
		}
		d.coordinator, d.end, err = d.begin(*c.Setup)
		return err
	}
	if d.coordinator == nil {
		return lacks
	}
	mine := *d.coordinator
	mine.Progress = &teller{d, c.ID}
	switch session := d.session(c.Session); {
	case c.Do == agents.Choose:
		if d.group, err = mine.Group(hard); err == nil {
			last.Names = d.group.names()
		}
		return err
	case c.Do == agents.Test && c.Job != nil:
		if c.Count > 0 {
			mine.Choice.Count = c.Count
		}
		last.Tested, err = mine.test(soft, hard, *c.Job)
		return err
	case c.Do == agents.Open && c.Job != nil && d.group != nil:
		opened, err := d.group.Open(hard, *c.Job)
		if err == nil {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.open[c.ID] = opened
		}
		return err
	case c.Do == agents.Turn && c.Stretch != nil && session != nil:
		last.Turned, err = d.turn(soft, hard, c, session)
		return err
	case c.Do == agents.Close && session != nil:
		account, err := session.Close()
		if err != nil {
			mine.Progress.Warn(fmt.Sprintf("remove what agents recorded: %v", err))
		}
		last.Account = &account
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.open, c.Session)
		return nil
	}
	return lacks
}

func (d *desk) session(id uint64) *Session {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open[id]
}

// turn loads a session, and sends each slice.
func (d *desk) turn(soft, hard context.Context, c agents.Call, session *Session) (*agents.Turned, error) {
	var failed error
	turned, err := session.Run(soft, hard, *c.Stretch, func(one load.Slice, local time.Duration) {
		packed, err := agents.PackSlice(one, local)
		if failed = errors.Join(failed, err); err == nil {
			d.say(agents.Answer{ID: c.ID, Slice: packed})
		}
	})
	return &turned, errors.Join(failed, err)
}

// close ends the calls and the sessions; their context has ended.
func (d *desk) close() {
	done := make(chan struct{})
	go func() { // ends with all agents, or with the process
		defer close(done)
		d.working.Wait()
		for _, s := range d.open {
			_, _ = s.Close() // hone has ended: it cannot hear the error
		}
		d.end()
	}()
	select {
	case <-done:
	case <-time.After(endWithin):
	}
}

// teller tells hone what a call is doing. It implements progress.Sink.
type teller struct {
	desk *desk
	id   uint64
}

func (t *teller) Phase(name string, expected time.Duration) {
	t.desk.say(agents.Answer{ID: t.id, Phase: &agents.Phase{Name: name, Expected: expected}})
}
func (t *teller) Tick(now progress.Tick) { t.desk.say(agents.Answer{ID: t.id, Tick: &now}) }
func (t *teller) Warn(text string)       { t.desk.say(agents.Answer{ID: t.id, Warn: text}) }
