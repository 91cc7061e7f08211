package cluster

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestAQuietNetworkIsExact(t *testing.T) {
	for seed := range uint64(20) {
		s := newSimulation(seed, 1+int(seed)%5)
		r := s.play()
		if r.err != nil || r.over == 0 || s.exact() != nil {
			t.Fatalf("seed %d: %+v, %v", seed, r, s.exact())
		}
		if most := 9 * time.Second; r.over > most { // 2 s to prepare, 2 s to start, 4 s of load
			t.Errorf("seed %d: over after %v, want at most %v", seed, r.over, most)
		}
		if apart, _ := s.coordinator.Skew(); apart > 30*time.Millisecond {
			t.Errorf("seed %d: the starts were %v apart", seed, apart)
		}
	}
}

// schedule draws what goes wrong.
func (s *simulation) schedule() {
	s.drop, s.twice = 0.1*s.random.Float64(), 0.2*s.random.Float64()
	s.slowest = time.Duration(1 + s.random.Int64N(int64(300*time.Millisecond)))
	for range s.random.IntN(3) {
		f := fault{
			kind:  []string{"kill", "pause", "partition", "broker"}[s.random.IntN(4)],
			agent: s.random.IntN(len(s.agents)), from: time.Duration(s.random.Int64N(int64(10 * time.Second))),
		}
		f.to = f.from + []time.Duration{200 * time.Millisecond, time.Second, 2500 * time.Millisecond, 5 * time.Second,
			30 * time.Second}[s.random.IntN(5)]
		if f.kind == "kill" {
			f.to = time.Hour
			s.at(f.from, func() {
				a := s.agents[f.agent]
				a.dead = true
				if a.began > 0 && a.ended == 0 {
					a.ended = s.now
				}
			})
		}
		s.faults = append(s.faults, f)
	}
}

// noticed is how long after a fault the run is known to be invalid, and all load has ended.
const noticed = 5 * time.Second

// In every run something goes wrong, as its seed says: the run is exact, or it is invalid within 5 s of the fault, the
// load of all agents has ended by then, and nothing hangs.
func TestThousandFaultSchedules(t *testing.T) {
	exact, invalid := 0, 0
	for seed := range uint64(1000) {
		s := newSimulation(seed, 1+int(seed)%4)
		s.schedule()
		r := s.play()
		fatal := func(format string, args ...any) {
			t.Helper()
			t.Errorf("seed %d, faults %+v, drop %.2f, slowest %v: %s", seed, s.faults, s.drop, s.slowest,
				fmt.Sprintf(format, args...))
		}
		if r.over == 0 {
			fatal("the coordinator never ended: %+v", s.coordinator.Members())
			continue
		}
		for _, a := range s.agents {
			if a.worker != nil && !a.worker.Over() && !a.dead {
				fatal("%s never ended: %+v", a.id, a.worker.State())
			}
			if a.began > 0 && a.ended == 0 {
				fatal("the load of %s never ended", a.id)
			}
		}
		if r.err == nil {
			exact++
			if err := s.exact(); err != nil {
				fatal("not exact: %v", err)
			}
			continue
		}
		invalid++
		if len(s.faults) == 0 && s.drop == 0 {
			fatal("invalid without a fault: %v", r.err)
		}
		for _, f := range s.faults {
			lasts := f.to - f.from
			if lasts < 2*LostAfter || f.from > r.over || f.from > r.lost {
				continue
			}
			if r.lost > f.from+noticed {
				fatal("noticed %v after the fault", r.lost-f.from)
			}
			for _, a := range s.agents {
				paused := slices.ContainsFunc(s.faults,
					func(f fault) bool { return f.kind == "pause" && f.agent == a.number })
				if a.began > 0 && a.ended > max(f.from, a.began)+noticed && !paused { // a paused one sends nothing, and ends when it goes on
					fatal("%s went on for %v after the fault", a.id, a.ended-f.from)
				}
			}
		}
	}
	t.Logf("%d exact, %d invalid", exact, invalid)
	if exact < 100 || invalid < 100 {
		t.Errorf("%d runs were exact and %d invalid: the faults are too many or too few", exact, invalid)
	}
}

// What was lost is left out with --set agents.keep-going, and the others deliver all.
func TestKeepGoingKeepsTheSurvivors(t *testing.T) {
	for seed := range uint64(20) {
		s := newSimulation(seed, 3)
		s.coordinator.KeepGoing = true
		// it comes back after the end
		s.faults = []fault{{kind: "pause", agent: 1, from: 5 * time.Second, to: 35 * time.Second}}
		r := s.play()
		if r.over == 0 || r.over > 12*time.Second || r.err == nil {
			t.Fatalf("seed %d: %+v", seed, r)
		}
		for i, m := range s.coordinator.Members() {
			a := s.agents[i]
			whole := bytes.Equal(s.kept[a.id], a.recording.Bytes()) && a.pieces == simulatedPieces
			if lost := i == 1; m.Complete == lost || (m.Lost != nil) != lost || whole == lost {
				t.Errorf("seed %d: %s: complete %v, lost %v, whole %v", seed, a.id, m.Complete, m.Lost, whole)
			}
		}
		if back := s.agents[1]; back.ended < 35*time.Second || !back.worker.Over() {
			t.Errorf("seed %d: the agent that came back ended at %v", seed, back.ended)
		}
	}
}

// Without it nothing goes on: the others are stopped, and what they have is delivered.
func TestALostAgentStopsTheOthers(t *testing.T) {
	s := newSimulation(1, 3)
	s.faults = []fault{{kind: "partition", agent: 0, from: 5 * time.Second, to: time.Hour}}
	r := s.play()
	if r.err == nil || r.lost > 9*time.Second || r.over > 10*time.Second {
		t.Fatalf("%+v", r)
	}
	for i, m := range s.coordinator.Members() {
		if m.Complete == (i == 0) {
			t.Errorf("%s: complete %v", m.Hello.ID, m.Complete)
		}
	}
}

// The end of the coordinator ends the load.
func TestLoadEndsWithTheCoordinator(t *testing.T) {
	s := newSimulation(3, 2)
	const died = 5 * time.Second
	s.faults = []fault{{kind: "broker", agent: -1, from: died, to: time.Hour}}
	s.play()
	for _, a := range s.agents {
		if a.began == 0 || a.began > died || a.ended > died+LeaseFor+Every || !a.worker.Over() ||
			a.worker.State().Phase != Failed {
			t.Errorf("%s: began at %v, ended at %v, %+v", a.id, a.began, a.ended, a.worker.State())
		}
	}
}

// An order of long ago, played back, starts nothing.
func TestOldOrdersStartNothing(t *testing.T) {
	s := newSimulation(4, 1)
	var first Order
	send := s.coordinator.Send
	s.coordinator.Send = func(o Order) {
		if first.Run == "" {
			first = o
		}
		send(o)
	}
	s.play()
	a := s.agents[0]
	a.worker, a.prepares = nil, 0
	s.now += time.Minute
	a.hear(first)
	if a.prepares != 0 || !a.worker.Over() || a.worker.State().Phase != Failed {
		t.Errorf("prepared %d times, %+v", a.prepares, a.worker.State())
	}
}

// A recording that is longer than allowed, or arrives as another one, makes the run invalid.
func TestBadRecordings(t *testing.T) {
	for what, change := range map[string]func(s *simulation){
		"longer than":        func(s *simulation) { s.coordinator.MaxBytes = 1000 },
		"arrived as another": func(s *simulation) { s.damaged = true },
		"keep the recording": func(s *simulation) { s.kept["agent0"] = []byte("x") },
	} {
		s := newSimulation(5, 1)
		change(s)
		if r := s.play(); r.err == nil || !strings.Contains(r.err.Error(), what) || r.over == 0 {
			t.Errorf("%s: %+v", what, r)
		}
	}
}

// In a run by turns all agents start each turn together, and none begins before the one before has ended everywhere.
func TestTurnsFollowEachOther(t *testing.T) {
	for seed := range uint64(20) {
		s := newSimulation(seed, 1+int(seed)%4)
		s.byTurns(8)
		r := s.play()
		if r.err != nil || r.over == 0 {
			t.Fatalf("seed %d: %+v", seed, r)
		}
		if err := s.exactTurns(); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		// 2 s to prepare; a turn takes 0.2 s to start, 0.5 s of load, and the way of what was recorded.
		if most := 2*time.Second + 8*1100*time.Millisecond; r.over > most {
			t.Errorf("seed %d: over after %v, want at most %v", seed, r.over, most)
		}
	}
}

// A run by turns under any faults is exact, or it is invalid, and nothing hangs or goes on loading.
func TestFaultSchedulesOfTurns(t *testing.T) {
	exact, invalid := 0, 0
	for seed := range uint64(1000) {
		s := newSimulation(seed, 1+int(seed)%4)
		s.byTurns(6)
		s.schedule()
		r := s.play()
		what := fmt.Sprintf("seed %d, faults %+v, drop %.2f, slowest %v", seed, s.faults, s.drop, s.slowest)
		if r.over == 0 {
			t.Errorf("%s: the coordinator never ended: %+v", what, s.coordinator.Members())
			continue
		}
		for _, a := range s.agents {
			if a.worker != nil && !a.worker.Over() && !a.dead || a.began > 0 && a.ended == 0 {
				t.Errorf("%s: %s never ended: %+v", what, a.id, a.worker.State())
			}
		}
		if r.err != nil {
			invalid++
			continue
		}
		exact++
		if err := s.exactTurns(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	t.Logf("%d exact, %d invalid", exact, invalid)
	if exact < 100 || invalid < 100 {
		t.Errorf("%d runs were exact and %d invalid: the faults are too many or too few", exact, invalid)
	}
}

// A turn that is cut ends early, on all agents, and the next one is whole.
func TestATurnIsCut(t *testing.T) {
	s := newSimulation(5, 2)
	s.byTurns(2)
	s.at(0, func() {
		var look func()
		look = func() {
			if s.coordinator.turn == 1 && s.agents[0].pieces > 0 {
				s.coordinator.Cut(s.clock())
				return
			}
			s.at(s.now+10*time.Millisecond, look)
		}
		look()
	})
	if r := s.play(); r.err != nil || r.over == 0 {
		t.Fatalf("%+v", r)
	}
	for _, a := range s.agents {
		if n := a.pieces; n <= piecesOfTurn || n >= 2*piecesOfTurn || len(a.spans) != 2 {
			t.Errorf("%s: %d pieces in %d turns", a.id, n, len(a.spans))
		}
	}
}
