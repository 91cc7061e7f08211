package fleet

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/cmd/hone-agent/internal/natslink"
	"github.com/gohone/hone/internal/conduct/agents"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/load"
)

// group chooses all agents of the site.
func (s *site) group(count int) *agents.Group {
	s.t.Helper()
	g, err := s.coordinator(count).Group(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return g
}

// open opens a session on a server.
func (s *site) open(g *agents.Group, url string, connections int) *agents.Session {
	s.t.Helper()
	session, err := g.Open(s.t.Context(), url+"/", wire.Options{},
		load.Plan{Connections: connections, Depth: 16, Timeout: 5 * time.Second})
	if err != nil {
		s.t.Fatal(err)
	}
	return session
}

// run takes a turn and returns its slices as one tally.
func run(t *testing.T, s *agents.Session, g load.Stretch) (all load.Tally) {
	t.Helper()
	if err := s.Run(t.Context(), g, func(got load.Slice) { all.Add(got) }); err != nil {
		t.Fatal(err)
	}
	return all
}

// Two programs are open on the same agents, and are loaded by turns: what the agents say they sent is what each server
// saw, in its own turns only.
func TestTurnsOnTwoPrograms(t *testing.T) {
	t.Parallel()
	s := newSite(t, &Agent{CapacityHz: 1000}, &Agent{CapacityHz: 3000})
	g := s.group(2)
	urlA, countA := counted(t, nil)
	urlB, countB := counted(t, nil)
	a, b := s.open(g, urlA, 4), s.open(g, urlB, 4)
	sessions, counts := []*agents.Session{a, b}, []*atomic.Int64{countA, countB}
	for turn := range 6 {
		which := turn % 2
		before, other := counts[which].Load(), counts[1-which].Load()
		got := run(t, sessions[which], load.Stretch{Schedule: load.OpenLoop(200, 500*time.Millisecond),
			Drain: time.Second})
		if got.Scheduled != 100 || got.Answered != 100 || counts[which].Load() != before+100 || got.Live != 4 {
			t.Errorf("turn %d: %+v; the server saw %d, want 100", turn, got.Counts, counts[which].Load()-before)
		}
		if got.Response.TotalCount() != 100 || got.Duration < 500*time.Millisecond || got.Duration > 2*time.Second {
			t.Errorf("turn %d: %d response times in %v", turn, got.Response.TotalCount(), got.Duration)
		}
		if counts[1-which].Load() != other {
			t.Errorf("turn %d: the other program was loaded, too", turn)
		}
	}
	apart, uncertain := g.Apart()
	if len(apart) != 6 || slices.Max(apart) > cluster.TurnLate+uncertain || uncertain <= 0 {
		t.Errorf("the agents began %v apart, +-%v, want 6 turns", apart, uncertain)
	}
	for i, one := range sessions {
		account, err := one.Close()
		if err != nil || account.Answered != 300 || account.Balance() != nil {
			t.Errorf("%+v, %v, want 300 answers", account, err)
		}
		if n := counts[i].Load(); n != 300 {
			t.Errorf("server %d saw %d requests, want 300", i, n)
		}
	}
	if left, err := os.ReadDir(s.spools()); err != nil || len(left) > 0 {
		t.Errorf("%v of the sessions was left behind (%v)", left, err)
	}
	s.await(4, "ended")
}

// Slices come while the load goes on, and EndSending ends it.
func TestATurnOfSlicesIsEnded(t *testing.T) {
	t.Parallel()
	s := newSite(t, &Agent{}, &Agent{})
	url, count := counted(t, nil)
	one := s.open(s.group(2), url, 2)
	defer one.Close()
	slices := 0
	var sum load.Counts
	err := one.Run(t.Context(), load.Stretch{Schedule: load.ClosedLoop(time.Hour), Interval: 100 * time.Millisecond,
		Drain: time.Second}, func(got load.Slice) {
		if slices++; slices == 3 {
			one.EndSending()
		}
		sum.Add(got.Counts)
	})
	if err != nil || slices < 3 || sum.Answered != uint64(count.Load()) || sum.Answered == 0 {
		t.Errorf("%d slices, %v; %d answers, and the server gave %d", slices, err, sum.Answered, count.Load())
	}
	before := count.Load()
	if got := run(t, one, load.Stretch{Schedule: load.OpenLoop(100, 200*time.Millisecond),
		Drain: time.Second}); got.Answered != 20 || count.Load() != before+20 {
		t.Errorf("the next turn: %+v, the server saw %d, want 20", got.Counts, count.Load()-before)
	}
}

// The loss of an agent ends a turn with the reason, and so does the end of the context; nothing hangs.
func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	s := newSite(t, &Agent{}, &Agent{})
	var then atomic.Pointer[func()] // done once, at the next request
	url, _ := counted(t, func(string) {
		if do := then.Swap(nil); do != nil {
			(*do)()
		}
	})
	g := s.group(2)
	one := s.open(g, url, 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancelling := func() { cancel() }
	then.Store(&cancelling)
	if err := one.Run(ctx, load.Stretch{Schedule: load.ClosedLoop(time.Hour), Drain: time.Second},
		func(load.Slice) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := one.Close(); err != nil {
		t.Error(err)
	}
	two := s.open(g, url, 2)
	ended := make(chan struct{})
	ending := func() {
		go func() { // the agent waits for its requests
			defer close(ended)
			s.ends[0]()
		}()
	}
	then.Store(&ending)
	err := two.Run(t.Context(), load.Stretch{Schedule: load.ClosedLoop(time.Hour), Drain: time.Second},
		func(load.Slice) {})
	if err == nil || fail.KindOf(err) != fail.Environment {
		t.Errorf("an agent ended: %v", err)
	}
	<-ended
	if _, err := two.Close(); err != nil {
		t.Error(err)
	}
	if _, err := g.Open(t.Context(), url+"/", wire.Options{},
		load.Plan{Connections: 2, Depth: 1, Timeout: time.Second}); fail.KindOf(err) != fail.Invalid {
		t.Errorf("with an agent that is gone: %v", err)
	}
}

// What an agent's user allows holds for turns, too: the address, the connections to all programs together, and the
// rate.
func TestLimitsHoldForTurns(t *testing.T) {
	t.Parallel()
	s := newSite(t, &Agent{MaxConnections: 3, MaxRateHz: 100})
	url, count := counted(t, nil)
	g := s.group(1)
	open := func(url string, connections int) (*agents.Session, error) {
		return g.Open(t.Context(), url, wire.Options{},
			load.Plan{Connections: connections, Depth: 16, Timeout: 5 * time.Second})
	}
	if _, err := open("http://192.0.2.1:80/", 1); fail.KindOf(err) != fail.BadInput {
		t.Errorf("a foreign address: %v", err)
	}
	one, err := open(url+"/", 2)
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	if _, err := open(url+"/", 2); fail.KindOf(err) != fail.BadInput {
		t.Errorf("four connections: %v", err)
	}
	if got := run(t, one, load.Stretch{Schedule: load.OpenLoop(100, 200*time.Millisecond),
		Drain: time.Second}); got.Answered != 20 {
		t.Errorf("%+v, want 20 answers", got.Counts)
	}
	before := count.Load()
	err = one.Run(t.Context(), load.Stretch{Schedule: load.ClosedLoop(200 * time.Millisecond), Drain: time.Second},
		func(load.Slice) {})
	if fail.KindOf(err) != fail.BadInput || count.Load() != before {
		t.Errorf("a closed loop: %v, %d requests", err, count.Load()-before)
	}
}

// A coordinator that dies leaves what it had received, and agents that are free for the next one: a run of that one is
// exact.
func TestTheNextCoordinatorFindsTheAgentsFree(t *testing.T) {
	t.Parallel()
	s := newSite(t, &Agent{}, &Agent{})
	var asked atomic.Int64
	loaded := make(chan struct{})
	url, count := counted(t, func(string) {
		if asked.Add(1) == 400 { // of 200/s: ten slices
			close(loaded)
		}
	})
	var link *natslink.Link
	died := s.coordinator(2, func(c *Coordinator) { link = c.Link })
	hard, kill := context.WithCancel(t.Context())
	defer kill()
	ended := make(chan error, 1)
	long := request(url, load.OpenLoop(200, time.Hour))
	long.Interval = 200 * time.Millisecond
	go func() {
		_, err := died.Run(hard, hard, long)
		ended <- err
	}()
	select {
	case <-loaded:
	case err := <-ended:
		t.Fatal(err)
	}
	link.Close() // nothing that it says arrives any more
	kill()
	if err := <-ended; fail.KindOf(err) != fail.Interrupted {
		t.Errorf("the first coordinator: %v", err)
	}
	s.await(2, "no word from the coordinator")
	spools, err := filepath.Glob(filepath.Join(s.spools(), "*", "*.jsonl"))
	if err != nil || len(spools) != 2 {
		t.Errorf("it left %v (%v), want the recordings of two agents", spools, err)
	}
	for _, path := range spools {
		if rec, err := recording.ReadFile(path); err != nil || !rec.Truncated || len(rec.Slices) == 0 {
			t.Errorf("what it left in %s: %+v, %v", path, rec, err)
		}
	}
	before := count.Load()
	out, err := s.coordinator(2).Run(t.Context(), t.Context(), request(url, load.OpenLoop(200, time.Second)))
	if out == nil || err != nil && fail.KindOf(err) != fail.Invalid { // a busy machine may be late
		t.Fatal(out, err)
	}
	if got := out.Recording.Final.Counts; got.Answered != 200 || count.Load() != before+200 {
		t.Errorf("%+v, the server saw %d, want 200", got, count.Load()-before)
	}
}
