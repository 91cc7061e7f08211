package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/internal/conduct/agents"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/load"
)

// Group is agents that load the programs of one measurement: each program in a run of its own, with connections that
// stay open from turn to turn. One program is loaded at a time.
type Group struct {
	*Coordinator
	name   string // that no other group has
	agents []cluster.Hello
}

// Group chooses the agents of a measurement.
func (c *Coordinator) Group(ctx context.Context) (*Group, error) {
	there, _, err := c.findAgents(ctx, nil)
	if err != nil {
		return nil, err
	}
	chosen, err := c.Choice.Choose(there, c.Version)
	if err != nil {
		return nil, err
	}
	return &Group{Coordinator: c, name: newName(), agents: chosen}, nil
}

// names are those of the agents.
func (g *Group) names() []string {
	var all []string
	for _, h := range g.agents {
		all = append(all, h.Name)
	}
	return all
}

// Session loads one start of a program from agents, one turn after the other. One goroutine may call its methods.
type Session struct {
	group   *Group
	test    *test
	plan    load.Plan
	machine string // this one

	turns chan *turnUnderWay
	ready chan struct{} // closed when all agents are connected
	ended chan struct{} // closed when the loop has ended
	cut   atomic.Bool   // the turn under way is to end its sending
	stop  atomic.Bool   // the run is to end
	// The loop's, until it has ended.
	current *turnUnderWay
	rest    map[string][]byte // of agents: the line that is not whole yet
	slices  packed.Reader
	account load.Counts
	broken  error
}

// turnUnderWay is a turn from its order to its end.
type turnUnderWay struct {
	stretches []json.RawMessage
	begun     bool
	start     time.Time               // as it was ordered
	waiting   map[string][]load.Slice // of agents: what was not handed over yet
	out       chan allSlices          // closed at the end
	left      chan struct{}           // closed when Run has returned
	turned    agents.Turned           // complete when out is closed
}

// allSlices is a slice of all agents together. local is the CPU time that those on this machine took for it.
type allSlices struct {
	load.Slice
	local time.Duration
}

// Open connects the agents to a program, which the job of all agents together names.
func (g *Group) Open(ctx context.Context, whole agents.Job) (*Session, error) {
	there, heard, err := g.findAgents(ctx, g.agents)
	if err != nil {
		return nil, err
	}
	whole.ByTurns = true
	work, err := jobs(whole, g.agents)
	if err != nil {
		return nil, err
	}
	t, err := g.begin(there, heard, g.agents, work)
	if err != nil {
		return nil, err
	}
	t.machine.ByTurns, t.machine.Group = true, g.name
	s := &Session{
		group: g, test: t, plan: whole.Plan, machine: thisMachine(), turns: make(chan *turnUnderWay),
		ready: make(chan struct{}), ended: make(chan struct{}), rest: map[string][]byte{},
	}
	t.hear = s.hear
	go s.conduct()
	select {
	case <-s.ready:
		return s, nil
	case <-s.ended:
		err = s.why()
	case <-ctx.Done():
		err = ctx.Err()
	}
	_, _ = s.Close()
	return nil, err
}

// Run has all agents load as the stretch says, from the same moment on, each with its part, and hands over what they
// did together, slice by slice, with the CPU time that agents on this machine took for it. The end of soft ends the
// sending. Errors are those of hard, or say which agent was lost and why. The session is then of no more use.
func (s *Session) Run(soft, hard context.Context, g load.Stretch,
	each func(one load.Slice, local time.Duration)) (turned agents.Turned, err error) {
	u := &turnUnderWay{waiting: map[string][]load.Slice{}, out: make(chan allSlices, 16), left: make(chan struct{})}
	defer close(u.left)
	if u.stretches, err = s.split(g); err != nil {
		return turned, err
	}
	s.cut.Store(false)
	defer context.AfterFunc(soft, func() { s.cut.Store(true) })()
	select {
	case s.turns <- u:
	case <-s.ended:
	}
	for {
		select {
		case got, more := <-u.out:
			if !more {
				return u.turned, nil
			}
			each(got.Slice, got.local)
		case <-s.ended:
			return turned, s.why()
		case <-hard.Done():
			s.stop.Store(true)
			return turned, hard.Err()
		}
	}
}

// Close disconnects the agents and returns the account of all of them.
func (s *Session) Close() (load.Counts, error) {
	s.stop.Store(true)
	<-s.ended
	s.test.close()
	return s.account, s.test.spool.Discard()
}

// why is the reason that the loop ended.
func (s *Session) why() error {
	switch {
	case s.broken != nil:
		return s.broken
	case s.test.failed != nil:
		return s.test.failed
	case s.test.machine.Err() != nil:
		return s.test.machine.Err()
	}
	return fail.New(fail.Interrupted, "the session with the agents is closed")
}

// conduct is the loop. It ends when the run is over.
func (s *Session) conduct() {
	defer close(s.ended)
	tick := time.NewTicker(cluster.Every / 5)
	defer tick.Stop()
	for idle := false; !s.test.machine.Over() && s.test.failed == nil; {
		select {
		case do := <-s.test.events:
			do()
		case s.current = <-s.turns:
		case <-tick.C:
			s.test.machine.Tick(clock())
		}
		if s.stop.Load() {
			s.test.machine.Stop(clock())
		}
		if !idle && s.test.machine.Idle() {
			idle = true
			close(s.ready)
		}
		if s.current != nil {
			s.advance(s.current)
		}
	}
}

// advance takes a turn as far as it can go.
func (s *Session) advance(u *turnUnderWay) {
	m := s.test.machine
	idle := m.Idle()
	if idle && !u.begun {
		now := clock()
		u.begun, u.start = true, began.Add(now-1+cluster.TurnIn)
		m.Begin(u.stretches, now)
		return
	}
	if u.begun && s.cut.Load() {
		m.Cut(clock())
	}
	for u.begun {
		if whole := len(u.waiting) == len(s.group.agents); !whole && !(idle && len(u.waiting) > 0) {
			break
		}
		select {
		case u.out <- s.next(u):
		case <-u.left:
			u.waiting = map[string][]load.Slice{}
		}
	}
	if idle {
		u.turned.Apart, u.turned.Uncertain = m.Skew()
		s.current = nil
		close(u.out)
	}
}

// next takes the first slice of each agent that has one, and adds them up.
func (s *Session) next(u *turnUnderWay) allSlices {
	var sum allSlices
	first := true
	for _, h := range s.group.agents {
		all := u.waiting[h.ID]
		if len(all) == 0 {
			continue
		}
		one := all[0]
		if len(all) == 1 {
			delete(u.waiting, h.ID)
		} else {
			u.waiting[h.ID] = all[1:]
		}
		one.Start = u.start.Add(one.Offset) // clocks of agents may be wrong
		if h.Machine == s.machine {
			sum.local += one.WorkerCPU
		}
		if first {
			sum.Slice, first = one, false
		} else {
			sum.AddConcurrent(one)
		}
	}
	return sum
}

// hear takes a piece of an agent's recording.
func (s *Session) hear(agent string, piece []byte) {
	for s.broken == nil {
		more, rest, whole := bytes.Cut(piece, []byte("\n")) // only what is new is searched: a line may come in many pieces
		if err := inputs.RecordingLine.Over("", int64(len(s.rest[agent])+len(more))); err != nil {
			s.refuse(agent, err)
			break
		}
		s.rest[agent] = append(s.rest[agent], more...)
		if !whole {
			return
		}
		s.take(agent, s.rest[agent])
		s.rest[agent], piece = s.rest[agent][:0], rest
	}
	delete(s.rest, agent)
}

// refuse ends the run: what an agent sends is not a recording.
func (s *Session) refuse(agent string, why error) {
	i := slices.IndexFunc(s.group.agents, func(h cluster.Hello) bool { return h.ID == agent })
	s.broken = fail.New(fail.Invalid, "agent %s: read its recording: %w", s.group.agents[i].Name, why).
		WithHint("use one version of hone on all machines")
	s.test.machine.Stop(clock())
}

// maxWaiting is how many slices of an agent may wait for those of the others: a turn of minutes in slices of
// milliseconds.
const maxWaiting = 1 << 16

// take takes a line of an agent's recording.
func (s *Session) take(agent string, line []byte) {
	var got struct { // a turnLine, whose slice anyone can have written
		Slice   json.RawMessage
		Account *load.Counts
	}
	err := json.Unmarshal(line, &got)
	var slice packed.Slice
	if err == nil && got.Slice != nil {
		slice, err = s.slices.Read(got.Slice)
	}
	if s.current != nil && len(s.current.waiting[agent]) == maxWaiting {
		err = fmt.Errorf("more than %d slices wait for those of other agents", maxWaiting)
	}
	switch {
	case err != nil:
		s.refuse(agent, err)
	case got.Account != nil:
		s.account.Add(*got.Account)
	case got.Slice != nil && s.current != nil:
		s.current.waiting[agent] = append(s.current.waiting[agent], slice.Unpack())
	}
}

// split is each agent's part of a stretch.
func (s *Session) split(g load.Stretch) ([]json.RawMessage, error) {
	_, schedules, err := cluster.Split(s.plan, g.Schedule, weights(s.group.agents))
	if err != nil {
		return nil, err
	}
	var all []json.RawMessage
	for _, one := range schedules {
		raw, err := json.Marshal(load.Stretch{Schedule: one, Drain: g.Drain, Interval: g.Interval})
		if err != nil {
			return nil, fmt.Errorf("encode the stretch of a turn: %w", err)
		}
		all = append(all, raw)
	}
	return all, nil
}
