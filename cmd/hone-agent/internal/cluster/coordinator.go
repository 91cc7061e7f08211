package cluster

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"slices"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/text/units"
)

// Store keeps what agents recorded. What Keep returned from survives the end of the coordinator's process.
type Store interface {
	Keep(agent string, offset int64, data []byte) error
}

// Part is one agent with its job.
type Part struct {
	Hello Hello
	Job   json.RawMessage
}

// Coordinator is a coordinator's side of one run. Agents cannot bring it out of step: what they say of other runs,
// again or too late has no effect.
type Coordinator struct {
	// Send sends an order.
	Send func(Order)
	// KeepGoing lets a run go on without agents that were lost.
	KeepGoing bool
	// ByTurns says that Begin starts each turn, and Stop ends the run. Else it starts when all agents are ready, and
	// ends as its job says.
	ByTurns bool
	// Group is Order.Group.
	Group string
	// MaxBytes bounds the recording of one agent; 0 means DefaultMaxBytes.
	MaxBytes int64

	run    string
	store  Store
	agents []*member
	turn   uint64        // the latest that was begun
	start  time.Duration // of it; 0: none
	cut    bool          // its sending is to end
	stop   bool
	err    error // the first reason why the run is not what was asked for
	said   time.Duration
	over   bool
	late   int // chunks of agents that were lost before
}

// DefaultMaxBytes is how long the recording of an agent may be: a week of one slice a second.
var DefaultMaxBytes = inputs.AgentStream.Most

// member is what a coordinator knows of one agent.
type member struct {
	Part
	state    State
	heard    time.Duration   // when it was last heard of
	stated   time.Duration   // when state came
	seq      uint64          // of the last order
	stretch  json.RawMessage // of the latest turn
	took     bool            // it has the job
	received int64
	sum      hash.Hash
	lost     error
	complete bool
	changed  bool // there is news for it
}

// Member is what there is to know of an agent of a run.
type Member struct {
	Hello Hello
	State State
	// Complete says that its whole recording was kept, and is as the agent wrote it.
	Complete bool
	// Lost says why it is not part of the result; nil if it is.
	Lost error
}

// NewCoordinator begins a run. The hellos of the parts were heard at heard, on the coordinator's clock.
func NewCoordinator(run string, parts []Part, store Store, heard, now time.Duration) *Coordinator {
	c := &Coordinator{run: run, store: store, said: now - Every}
	for _, p := range parts {
		c.agents = append(c.agents, &member{Part: p, state: State{Clock: p.Hello.Clock}, heard: heard, stated: heard,
			sum: sha256.New()})
	}
	return c
}

// Over says that the run has ended: all agents have delivered what they will.
func (c *Coordinator) Over() bool { return c.over }

// Err is why the run is not what was asked for: an agent was lost, refused its job or could not go on. nil if it is.
func (c *Coordinator) Err() error { return c.err }

// Late counts chunks of agents that were lost before.
func (c *Coordinator) Late() int { return c.late }

// Members are the agents, in the order of the parts.
func (c *Coordinator) Members() []Member {
	var all []Member
	for _, m := range c.agents {
		all = append(all, Member{Hello: m.Hello, State: m.state, Complete: m.complete, Lost: m.lost})
	}
	return all
}

// Skew is by how much the agents' schedules began apart, and what the error of that may be. Only agents that have
// started count.
func (c *Coordinator) Skew() (apart, uncertain time.Duration) {
	var first, last time.Duration
	for _, m := range c.agents {
		if at := m.state.Started; at > 0 {
			first, last = min(cmp.Or(first, at), at), max(last, at)
			uncertain = max(uncertain, m.state.Skew)
		}
	}
	return last - first, 2 * uncertain
}

// Stop ends the run early; what was sent until then is measured.
func (c *Coordinator) Stop(now time.Duration) {
	if !c.stop {
		c.stop = true
		c.tell(now)
	}
}

// Idle says that all agents wait for a turn, and that what they recorded in the turns before is kept.
func (c *Coordinator) Idle() bool {
	return c.err == nil && !c.stop && !slices.ContainsFunc(c.agents, func(m *member) bool {
		return m.state.Phase != Ready || m.state.Turns != c.turn || m.received != m.state.Written
	})
}

// Begin starts the next turn of a run by turns that is Idle, with a stretch for each agent, in the order of the parts.
func (c *Coordinator) Begin(stretches []json.RawMessage, now time.Duration) {
	for i, m := range c.agents {
		m.stretch = stretches[i]
	}
	c.begin(TurnIn, now)
}

// begin names the moment at which all agents start.
func (c *Coordinator) begin(in, now time.Duration) {
	c.turn++
	c.start, c.cut = now+in, false
	c.tell(now)
}

// Cut ends the sending of the turn under way. Others may follow.
func (c *Coordinator) Cut(now time.Duration) {
	if !c.cut {
		c.cut = true
		c.tell(now)
	}
}

// HearState takes what an agent says of itself.
func (c *Coordinator) HearState(s State, now time.Duration) {
	m := c.member(s.Run, s.Agent)
	if m == nil || m.lost != nil || c.over || s.Seq <= m.state.Seq && m.took || s.Turns > c.turn {
		return
	}
	m.heard, m.stated = now, now
	m.changed = m.changed || !m.took || s.Phase != m.state.Phase
	m.took = true
	m.state = s
	if s.Phase == Failed {
		kind := fail.Kind(s.Kind)
		if kind <= 0 || kind > fail.Storage {
			kind = fail.Environment
		}
		c.lose(m, fail.New(kind, "agent %s: %s", m.Hello.Name, s.Reason).WithHint("%s", s.Hint), now)
	}
	c.settle(now)
}

// HearChunk takes a piece of a recording. Pieces behind a gap are left out: the agent sends them again.
func (c *Coordinator) HearChunk(k Chunk, now time.Duration) {
	m := c.member(k.Run, k.Agent)
	if m == nil {
		return
	}
	if m.lost != nil || c.over {
		c.late++
		return
	}
	m.heard = now
	if k.Offset != m.received || len(k.Data) == 0 || len(k.Data) > MaxChunk {
		m.changed = true
		return
	}
	if most := cmp.Or(c.MaxBytes, DefaultMaxBytes); m.received+int64(len(k.Data)) > most {
		c.lose(m, fail.New(fail.Invalid, "agent %s: its recording is longer than %s", m.Hello.Name,
			units.Bytes(float64(most))), now)
		return
	}
	if err := c.store.Keep(k.Agent, k.Offset, k.Data); err != nil {
		c.lose(m, fail.New(fail.Or(fail.Storage, err), "keep the recording of agent %s: %w", m.Hello.Name, err), now)
		return
	}
	m.sum.Write(k.Data)
	m.received += int64(len(k.Data))
	m.changed = true
	c.settle(now)
}

// Tick lets time pass. It is to be called some times in each Every.
func (c *Coordinator) Tick(now time.Duration) {
	if c.over {
		return
	}
	for _, m := range c.agents {
		if m.lost == nil && !m.complete && now-m.heard >= LostAfter {
			c.lose(m, fail.New(fail.Invalid, "agent %s was lost: nothing was heard of it for %v", m.Hello.Name,
				LostAfter), now)
		}
	}
	c.settle(now)
	if c.over {
		return
	}
	all := now-c.said >= Every
	for _, m := range c.agents {
		announced := c.ByTurns && now < c.start && m.state.Turns < c.turn // an order that is lost would come too late
		if m.lost == nil && (all || m.changed || announced) {
			c.order(m, now)
		}
	}
	if all {
		c.said = now
	}
}

func (c *Coordinator) member(run, agent string) *member {
	if run != c.run {
		return nil
	}
	i := slices.IndexFunc(c.agents, func(m *member) bool { return m.Hello.ID == agent })
	if i < 0 {
		return nil
	}
	return c.agents[i]
}

// lose takes an agent out of the run. Before the start there is no run without it; later KeepGoing decides.
func (c *Coordinator) lose(m *member, why error, now time.Duration) {
	m.lost = why
	if c.err == nil {
		c.err = why
	}
	c.order(m, now) // it may still hear that it is to stop
	if !c.KeepGoing || c.start == 0 {
		c.stop = true
	}
	c.tell(now)
}

// settle looks at what has become of the run.
func (c *Coordinator) settle(now time.Duration) {
	ready, done := true, true
	for _, m := range c.agents {
		if m.lost != nil {
			continue
		}
		s := m.state
		if s.Phase == Ended && m.received > s.Written {
			c.lose(m, fail.New(fail.Invalid, "agent %s: %d bytes of its recording came, and it says that it wrote %d",
				m.Hello.Name, m.received, s.Written), now)
			continue
		}
		if s.Phase == Ended && m.received == s.Written && !m.complete {
			if sum := hex.EncodeToString(m.sum.Sum(nil)); sum != s.SHA256 {
				c.lose(m, fail.New(fail.Invalid,
					"agent %s: its recording arrived as another one (SHA-256 %.12s..., not %.12s...)", m.Hello.Name,
					sum, s.SHA256), now)
				continue
			}
			m.complete, m.changed = true, true
		}
		ready = ready && m.state.Phase == Ready
		done = done && m.complete
	}
	if ready && c.start == 0 && !c.ByTurns && !c.stop && c.err == nil {
		c.begin(StartIn, now)
	}
	if done && !c.over {
		c.tell(now) // the last order says what was received
		c.over = true
	}
}

// tell sends all agents their orders.
func (c *Coordinator) tell(now time.Duration) {
	for _, m := range c.agents {
		if m.lost == nil {
			c.order(m, now)
		}
	}
}

// order sends an agent what is wanted of it.
func (c *Coordinator) order(m *member, now time.Duration) {
	m.seq++
	m.changed = false
	o := Order{
		Run: c.run, Agent: m.Hello.ID, Seq: m.seq, Group: c.Group, Turn: c.turn, Start: c.start, Stretch: m.stretch,
		Cut:  c.cut,
		Stop: c.stop || m.lost != nil, Received: m.received, Clock: now, Echo: m.state.Clock, Held: now - m.stated,
	}
	if !m.took {
		o.Job = m.Job
	}
	c.Send(o)
}
