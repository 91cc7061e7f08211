package fleet

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/internal/conduct/agents"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
)

// turn is one stretch of load of a run by turns: when it starts on the agent's clock, and a stretch, packed.
type turn struct {
	at      time.Duration
	stretch json.RawMessage
}

// turnLine is a line of the recording of a run by turns: a slice, or at the end the account of the session.
type turnLine struct {
	Slice   *packed.Slice `json:"slice,omitempty"`
	Account *load.Counts  `json:"account,omitempty"`
}

// turns is a run by turns on an agent: its connections, which stay open, and its recording.
type turns struct {
	*engine
	session *load.Session
	hello   cluster.Hello
	plan    load.Plan
	out     *bufio.Writer
	file    *os.File
}

// byTurns opens the connections, carries out turns until it is stopped, and closes the recording.
func (e *engine) byTurns(j agents.Job) (err error) {
	target, err := schemes.Parse(j.Target, j.Protocol)
	if err != nil {
		return err
	}
	target.Guard = guard(e.agent.Allow)
	t := &turns{engine: e, hello: e.agent.hello()}
	if t.plan, err = target.Allow(j.Plan); err != nil {
		return err
	}
	dial := target.Dialer(nil)
	if err := target.Prepare(e.soft, dial); err != nil {
		return err
	}
	// Several runs of a group are open together, and the limit is for all of them.
	if n := e.agent.connected.Add(int64(t.plan.Connections)); t.hello.MaxConnections > 0 &&
		n > int64(t.hello.MaxConnections) {
		e.agent.connected.Add(-int64(t.plan.Connections))
		return fail.New(fail.BadInput, "%d connections to all programs together are more than this agent allows (%d)",
			n, t.hello.MaxConnections).
			WithHint("use fewer connections or more agents, or raise hone agent --max-connections")
	}
	defer e.agent.connected.Add(-int64(t.plan.Connections))
	if t.session, err = load.Open(e.soft, t.plan, target.Protocol, dial); err != nil {
		var known *fail.Error
		if errors.As(err, &known) { // it says what to do
			return err
		}
		return fail.New(fail.Or(fail.Subject, err), "connect to %s: %w", j.Target, err).
			WithHint("let the program listen on an address that this agent reaches, and name it in the target")
	}
	defer t.session.Close()
	e.session.Store(t.session)
	defer e.session.Store(nil)
	if t.file, err = os.OpenFile(e.file+".partial", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err != nil {
		return fail.New(fail.Storage, "write the recording: %w", err)
	}
	defer t.file.Close()
	t.out = bufio.NewWriter(t.file)
	e.agent.post(func() { e.worker().Prepared(nil, e.agent.Clock()) })
	for {
		select {
		case next := <-e.start:
			if err := t.take(next); err != nil {
				return err
			}
		case <-e.soft.Done():
			return t.end()
		}
	}
}

// take carries out one turn.
func (t *turns) take(next turn) error {
	var g load.Stretch
	if err := json.Unmarshal(next.stretch, &g); err != nil {
		return fail.New(fail.BadInput, "read the stretch of a turn: %w",
			err).WithHint("use one version of hone on all machines")
	}
	if err := t.hello.Within(t.plan, g.Schedule); err != nil {
		return err
	}
	if t.await(t.soft, next.at) != nil {
		return nil // stopped before the turn
	}
	cancel := context.AfterFunc(t.soft, t.session.EndSending)
	defer cancel()
	var failed error
	err := t.session.Run(t.hard, g, func(got load.Slice) {
		if failed != nil {
			return
		}
		packed, err := packed.Of(got)
		if failed = errors.Join(err, t.write(turnLine{Slice: &packed})); failed != nil {
			t.session.EndSending()
		}
	})
	if err = errors.Join(failed, err); err != nil {
		return err
	}
	info, err := t.file.Stat()
	if err != nil {
		return fail.New(fail.Storage, "write the recording: %w", err)
	}
	t.agent.post(func() {
		t.grown()
		t.worker().TurnEnded(info.Size(), t.agent.Clock())
	})
	return nil
}

// write writes a line to the disk.
func (t *turns) write(line turnLine) error {
	if err := errors.Join(json.NewEncoder(t.out).Encode(line), t.out.Flush()); err != nil {
		return fail.New(fail.Storage, "write the recording: %w", err)
	}
	return nil
}

// end closes the connections and the recording.
func (t *turns) end() error {
	account, err := t.session.Close()
	if err != nil {
		return fail.New(fail.Invalid, "close session: %w",
			err).WithHint("this is a bug in hone's load engine; please report it")
	}
	if err := t.write(turnLine{Account: &account}); err != nil {
		return err
	}
	if err := errors.Join(t.file.Close(), os.Rename(t.engine.file+".partial", t.engine.file)); err != nil {
		return fail.New(fail.Storage, "write the recording: %w", err)
	}
	return nil
}
