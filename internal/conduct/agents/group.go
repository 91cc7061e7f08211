package agents

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// Group is agents that load the programs of one measurement: each program in a session of its own, with connections
// that stay open from turn to turn. One program is loaded at a time.
type Group struct {
	coordinator *Coordinator
	names       []string

	mutex     sync.Mutex
	apart     []time.Duration // of each turn
	uncertain time.Duration
}

// Group chooses the agents of a measurement.
func (c *Coordinator) Group(ctx context.Context) (*Group, error) {
	a, err := c.do(ctx, ctx, Call{Do: Choose}, nil)
	if err != nil {
		return nil, err
	}
	return &Group{coordinator: c, names: a.Names}, nil
}

// Names are those of the agents.
func (g *Group) Names() []string { return g.names }

// Apart is by how much the agents began each turn so far apart, of all programs, and a bound of the error of that.
func (g *Group) Apart() (each []time.Duration, uncertain time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return slices.Clone(g.apart), g.uncertain
}

// began notes a turn for Apart.
func (g *Group) began(t *Turned) {
	if t == nil {
		return
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.apart, g.uncertain = append(g.apart, t.Apart), max(g.uncertain, t.Uncertain)
}

// Session loads one start of a program from agents, one turn after the other. It stands where a load.Session stands for
// load from this process. One goroutine may call its methods, and any EndSending.
type Session struct {
	group  *Group
	id     uint64
	slices packed.Reader
	local  time.Duration // of the slice that was handed over last
	cut    atomic.Pointer[context.CancelFunc]
}

// Open connects the agents to a program. Options and plan are those of the load of all agents together.
func (g *Group) Open(ctx context.Context, target string, o wire.Options, plan load.Plan) (*Session, error) {
	a, err := g.coordinator.do(ctx, ctx, Call{Do: Open,
		Job: &Job{Load: spec.Load{Target: target, Protocol: o, Plan: plan}}}, nil)
	if err != nil {
		return nil, err
	}
	return &Session{group: g, id: a.ID}, nil
}

// Run has all agents load as the stretch says, from the same moment on, each with its part, and hands over what they
// did together, slice by slice. Errors are those of ctx, or say which agent was lost and why. The session is then of no
// more use.
func (s *Session) Run(ctx context.Context, g load.Stretch, each func(load.Slice)) error {
	if g.Stamps != nil {
		return fail.New(fail.BadInput, "agents do not stamp requests")
	}
	soft, cut := context.WithCancel(context.Background())
	defer cut()
	s.cut.Store(&cut)
	defer s.cut.Store(nil)
	a, err := s.group.coordinator.do(soft, ctx, Call{Do: Turn, Session: s.id, Stretch: &g}, func(a Answer) error {
		if a.Slice == nil {
			return nil
		}
		slice, err := s.slices.Read(a.Slice.Packed)
		if err != nil {
			return fmt.Errorf("read a slice of agents: %w", err)
		}
		one := slice.Unpack()
		one.Start, s.local = time.Now().Add(-a.Slice.Ago), a.Slice.Local
		each(one)
		return nil
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.group.began(a.Turned)
	return err
}

// LocalCPU is the CPU time that agents on this machine took for the slice that was handed over last. It is not the
// program's, and no other's.
func (s *Session) LocalCPU() time.Duration { return s.local }

// EndSending ends the sending of the turn under way.
func (s *Session) EndSending() {
	if cut := s.cut.Load(); cut != nil {
		(*cut)()
	}
}

// Slice is there for what load.Session does at its end, when it waits for answers: each turn has waited for its own.
func (s *Session) Slice(context.Context, time.Duration, time.Duration) (load.Slice, error) {
	return load.Slice{}, nil
}

// Close disconnects the agents and returns the account of all of them.
func (s *Session) Close() (load.Counts, error) {
	background := context.Background()
	a, err := s.group.coordinator.do(background, background, Call{Do: Close, Session: s.id}, nil)
	if err != nil || a.Account == nil {
		return load.Counts{}, err
	}
	return *a.Account, nil
}

// PackSlice packs a slice of all agents for its way.
func PackSlice(one load.Slice, local time.Duration) (*Loaded, error) {
	packed, err := packed.Of(one)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(packed)
	return &Loaded{Packed: raw, Ago: time.Since(one.Start), Local: local}, err
}
