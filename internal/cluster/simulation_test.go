package cluster

import (
	"bytes"
	"container/heap"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// simulation is a coordinator and its agents on a network and on clocks that a seed decides about. The same seed is the same
// run.
type simulation struct {
	random *rand.Rand
	now    time.Duration // true time
	events events
	count  int

	coordinator *Coordinator
	kept        map[string][]byte
	agents      []*simulated
	faults      []fault
	// drop and twice are the shares of messages that are lost, or come twice; slowest is how long one is under way at most.
	drop, twice float64
	// damaged says that recordings arrive as others.
	damaged bool
	slowest time.Duration
}

// fault is something that goes wrong for a time.
type fault struct {
	kind     string
	agent    int // -1: all
	from, to time.Duration
}

// simulated is an agent: its worker, and an engine that writes a recording.
type simulated struct {
	sim    *simulation
	number int
	id     string
	// The agent's clock reads ahead + true time * rate.
	ahead time.Duration
	rate  float64

	worker    *Worker
	recording bytes.Buffer
	pieces    int
	began     time.Duration // true time at which the schedule began; 0: not
	ended     time.Duration // true time at which it ended, or was stopped
	dead      bool
	prepares  int
	stopping  bool
	abandoned bool
}

// The load of a simulated agent: a line each tenth of a second for some seconds.
const (
	simulatedPieces = 40
	pieceEvery      = 100 * time.Millisecond
)

func (a *simulated) clock() time.Duration {
	return a.ahead + time.Duration(float64(a.sim.now)*a.rate)
}

// truth is the true time of a moment of the agent's clock.
func (a *simulated) truth(at time.Duration) time.Duration {
	return time.Duration(float64(at-a.ahead) / a.rate)
}

func (a *simulated) Prepare(job json.RawMessage) {
	a.prepares++
	if want := fmt.Sprintf(`"job of %s"`, a.id); string(job) != want {
		panic(fmt.Sprintf("job %s, want %s", job, want))
	}
	a.after(time.Duration(a.sim.random.Int64N(int64(2*time.Second))), func() { a.worker.Prepared(nil, a.clock()) })
}

func (a *simulated) StartAt(at time.Duration) {
	a.sim.at(a.truth(at), func() { // the engine waits for a moment of its clock; a paused one is late
		a.whenAwake(func() {
			if a.abandoned || a.dead {
				return
			}
			a.began = a.sim.now
			a.worker.Started(a.clock(), a.clock())
			a.piece()
		})
	})
}

// piece writes one line of the recording, and the next one later.
func (a *simulated) piece() {
	if a.abandoned || a.dead {
		return
	}
	if a.pieces == simulatedPieces || a.stopping {
		a.ended = a.sim.now
		sum := sha256.Sum256(a.recording.Bytes())
		a.worker.Finished(int64(a.recording.Len()), hex.EncodeToString(sum[:]), nil, a.clock())
		return
	}
	a.pieces++
	fmt.Fprintf(&a.recording, "%s piece %d %0*d\n", a.id, a.pieces, a.sim.random.IntN(20000), 0)
	a.worker.Wrote(int64(a.recording.Len()), a.clock())
	a.after(pieceEvery, a.piece)
}

func (a *simulated) Stop() { a.stopping = true }

func (a *simulated) Abandon() {
	a.abandoned = true
	if a.began > 0 && a.ended == 0 {
		a.ended = a.sim.now
	}
}

func (a *simulated) Recording() io.ReaderAt { return bytes.NewReader(a.recording.Bytes()) }

// whenAwake does something now, or when the agent's pause is over.
func (a *simulated) whenAwake(do func()) {
	for _, f := range a.sim.faults {
		if f.kind == "pause" && f.agent == a.number && a.sim.now >= f.from && a.sim.now < f.to {
			a.sim.at(f.to, func() { a.whenAwake(do) })
			return
		}
	}
	if !a.dead {
		do()
	}
}

func (a *simulated) after(d time.Duration, do func()) {
	a.sim.at(a.sim.now+d, func() { a.whenAwake(do) })
}

// event is something that happens at a moment; of two at the same one the earlier made comes first.
type event struct {
	at    time.Duration
	count int
	do    func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].count < e[j].count
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

func (s *simulation) at(when time.Duration, do func()) {
	s.count++
	heap.Push(&s.events, event{at: max(when, s.now), count: s.count, do: do})
}

// cut says that nothing comes through between the coordinator and an agent now.
func (s *simulation) cut(agent int) bool {
	return slices.ContainsFunc(s.faults, func(f fault) bool {
		return (f.kind == "partition" && f.agent == agent || f.kind == "broker") && s.now >= f.from && s.now < f.to
	})
}

// carry takes a message over the network.
func (s *simulation) carry(agent int, arrive func()) {
	copies := 1
	if s.random.Float64() < s.twice {
		copies = 2
	}
	for range copies {
		lost := s.random.Float64() < s.drop || s.cut(agent)
		late := time.Duration(s.random.Int64N(int64(s.slowest)))
		if lost {
			continue
		}
		s.at(s.now+late, func() {
			if !s.cut(agent) {
				arrive()
			}
		})
	}
}

// The coordinator's clock has another origin than true time.
const coordinatorAhead = 77 * time.Hour

func (s *simulation) clock() time.Duration { return coordinatorAhead + s.now }

// Keep implements Store.
func (s *simulation) Keep(agent string, offset int64, data []byte) error {
	if offset != int64(len(s.kept[agent])) {
		return errors.New("a gap")
	}
	s.kept[agent] = append(s.kept[agent], data...)
	return nil
}

// newSimulation makes agents with clocks of their own, and a run of all of them.
func newSimulation(seed uint64, agents int) *simulation {
	s := &simulation{random: rand.New(rand.NewPCG(seed, 0)), kept: map[string][]byte{}, slowest: 30 * time.Millisecond}
	var parts []Part
	for i := range agents {
		a := &simulated{
			sim: s, number: i, id: fmt.Sprint("agent", i),
			ahead: time.Duration(s.random.Int64N(int64(1000 * time.Hour))), rate: 1 + 1e-4*(s.random.Float64()-0.5),
		}
		s.agents = append(s.agents, a)
		parts = append(parts, Part{Hello: Hello{ID: a.id, Name: a.id, Clock: a.clock()}, Job: json.RawMessage(fmt.Sprintf(`"job of %s"`, a.id))})
	}
	s.coordinator = NewCoordinator("run1", parts, s, s.clock(), s.clock())
	s.coordinator.Send = func(o Order) {
		i := slices.IndexFunc(s.agents, func(a *simulated) bool { return a.id == o.Agent })
		s.carry(i, func() { s.agents[i].whenAwake(func() { s.agents[i].hear(o) }) })
	}
	return s
}

// hear takes an order as an agent's process does.
func (a *simulated) hear(o Order) {
	if a.worker != nil {
		a.worker.Hear(o, a.clock())
		return
	}
	if len(o.Job) == 0 {
		return
	}
	send := func(message any) {
		a.sim.carry(a.number, func() {
			switch m := message.(type) {
			case State:
				a.sim.coordinator.HearState(m, a.sim.clock())
			case Chunk:
				if a.sim.damaged {
					m.Data = append([]byte{m.Data[0] ^ 1}, m.Data[1:]...)
				}
				a.sim.coordinator.HearChunk(m, a.sim.clock())
			}
		})
	}
	a.worker = &Worker{} // the engine may call back at once
	*a.worker = *NewWorker(o, a, send, a.clock())
	a.tick()
}

func (a *simulated) tick() {
	a.worker.Tick(a.clock())
	if !a.worker.Over() {
		a.after(Every/4, a.tick)
	}
}

// result is what a simulated run came to.
type result struct {
	over time.Duration // when the coordinator was done; 0: never
	lost time.Duration // when it noticed that something is wrong; 0: nothing was
	err  error
}

// play runs until the coordinator is done and all agents have stopped, or for a simulated minute.
func (s *simulation) play() (r result) {
	var tick func()
	tick = func() {
		s.coordinator.Tick(s.clock())
		if s.coordinator.Err() != nil && r.lost == 0 {
			r.lost, r.err = s.now, s.coordinator.Err()
		}
		if s.coordinator.Over() {
			r.over = s.now
			return
		}
		s.at(s.now+Every/5, tick)
	}
	tick()
	for len(s.events) > 0 && s.now < time.Minute {
		e := heap.Pop(&s.events).(event)
		s.now = e.at
		e.do()
	}
	return r
}

// exact says what keeps the run from being the one that was asked for: each agent's recording once and whole, and a common
// start.
func (s *simulation) exact() error {
	var first, last time.Duration
	for _, a := range s.agents {
		if !bytes.Equal(s.kept[a.id], a.recording.Bytes()) || a.pieces != simulatedPieces {
			return fmt.Errorf("%s: %d bytes were kept of %d in %d pieces", a.id, len(s.kept[a.id]), a.recording.Len(), a.pieces)
		}
		if a.prepares != 1 {
			return fmt.Errorf("%s prepared %d times", a.id, a.prepares)
		}
		if first == 0 || a.began < first {
			first = a.began
		}
		last = max(last, a.began)
	}
	apart, uncertain := s.coordinator.Skew()
	if truth := last - first; truth > apart+uncertain+time.Millisecond || truth < apart-uncertain-time.Millisecond {
		return fmt.Errorf("the starts were %v apart, and the coordinator says %v +- %v", truth, apart, uncertain)
	}
	return nil
}

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
		f.to = f.from + []time.Duration{200 * time.Millisecond, time.Second, 2500 * time.Millisecond, 5 * time.Second, 30 * time.Second}[s.random.IntN(5)]
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

// In every run something goes wrong, as its seed says: the run is exact, or it is invalid within 5 s of the fault, the load of
// all agents has ended by then, and nothing hangs.
func TestThousandFaultSchedules(t *testing.T) {
	exact, invalid := 0, 0
	for seed := range uint64(1000) {
		s := newSimulation(seed, 1+int(seed)%4)
		s.schedule()
		r := s.play()
		fatal := func(format string, args ...any) {
			t.Helper()
			t.Errorf("seed %d, faults %+v, drop %.2f, slowest %v: %s", seed, s.faults, s.drop, s.slowest, fmt.Sprintf(format, args...))
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
				paused := slices.ContainsFunc(s.faults, func(f fault) bool { return f.kind == "pause" && f.agent == a.number })
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

// What was lost is left out with --keep-going, and the others deliver all.
func TestKeepGoingKeepsTheSurvivors(t *testing.T) {
	for seed := range uint64(20) {
		s := newSimulation(seed, 3)
		s.coordinator.KeepGoing = true
		s.faults = []fault{{kind: "pause", agent: 1, from: 5 * time.Second, to: 35 * time.Second}} // it comes back after the end
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
		if a.began == 0 || a.began > died || a.ended > died+LeaseFor+Every || !a.worker.Over() || a.worker.State().Phase != Failed {
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
