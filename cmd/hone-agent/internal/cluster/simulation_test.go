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
	"time"
)

// simulation is a coordinator and its agents on a network and on clocks that a seed decides about. The same seed is the
// same run.
type simulation struct {
	random *rand.Rand
	now    time.Duration // true time
	events events
	count  int

	coordinator *Coordinator
	kept        map[string][]byte
	agents      []*simulated
	faults      []fault
	// drop and twice are the shares of messages that are lost, or come twice; slowest is how long one is under way at
	// most.
	drop, twice float64
	// damaged says that recordings arrive as others.
	damaged bool
	slowest time.Duration
	// turns is how many turns the run has; 0: it is not by turns.
	turns int
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
	turn      int    // under way, from 1
	cut       bool   // the turn under way
	spans     []span // of its turns
	recording bytes.Buffer
	pieces    int
	began     time.Duration // true time at which the schedule began; 0: not
	ended     time.Duration // true time at which it ended, or was stopped
	dead      bool
	prepares  int
	stopping  bool
	abandoned bool
}

// span is when a turn began and ended, in true time.
type span struct{ began, ended time.Duration }

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

func (a *simulated) StartAt(at time.Duration, stretch json.RawMessage) {
	a.turn++
	if a.sim.turns > 0 {
		if want := fmt.Sprintf(`"turn %d of %s"`, a.turn, a.id); string(stretch) != want {
			panic(fmt.Sprintf("stretch %s, want %s", stretch, want))
		}
	}
	a.sim.at(a.truth(at), func() { // the engine waits for a moment of its clock; a paused one is late
		a.whenAwake(func() {
			if a.abandoned || a.dead || a.stopping && a.sim.turns > 0 {
				return
			}
			a.began, a.ended = a.sim.now, 0
			a.worker.Started(a.clock(), a.clock())
			if a.sim.turns > 0 {
				a.cut = false
				a.spans = append(a.spans, span{began: a.sim.now})
				a.pieceOfTurn(0)
				return
			}
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
		a.finish()
		return
	}
	a.pieces++
	fmt.Fprintf(&a.recording, "%s piece %d %0*d\n", a.id, a.pieces, a.sim.random.IntN(20000), 0)
	a.worker.Wrote(int64(a.recording.Len()), a.clock())
	a.after(pieceEvery, a.piece)
}

// The turn of a simulated agent: some pieces, unless it is cut.
const piecesOfTurn = 5

// pieceOfTurn writes one line of a turn's part of the recording, and the next one later.
func (a *simulated) pieceOfTurn(n int) {
	if a.abandoned || a.dead {
		return
	}
	if n == piecesOfTurn || a.cut || a.stopping {
		a.ended = a.sim.now
		a.spans[len(a.spans)-1].ended = a.sim.now
		a.worker.TurnEnded(int64(a.recording.Len()), a.clock())
		if a.stopping {
			a.finish()
		}
		return
	}
	a.pieces++
	fmt.Fprintf(&a.recording, "%s turn %d piece %d %0*d\n", a.id, a.turn, n, a.sim.random.IntN(20000), 0)
	a.worker.Wrote(int64(a.recording.Len()), a.clock())
	a.after(pieceEvery, func() { a.pieceOfTurn(n + 1) })
}

// finish ends the recording.
func (a *simulated) finish() {
	sum := sha256.Sum256(a.recording.Bytes())
	a.worker.Finished(int64(a.recording.Len()), hex.EncodeToString(sum[:]), nil, a.clock())
}

func (a *simulated) Cut() { a.cut = true }

func (a *simulated) Stop() {
	a.stopping = true
	if a.sim.turns > 0 && (len(a.spans) == 0 || a.spans[len(a.spans)-1].ended > 0) {
		a.after(0, a.finish)
	}
}

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
		parts = append(parts, Part{Hello: Hello{ID: a.id, Name: a.id, Clock: a.clock()},
			Job: json.RawMessage(fmt.Sprintf(`"job of %s"`, a.id))})
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
	a.worker = NewWorker(o, a, send, a.clock())
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
		s.takeTurns()
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

// byTurns makes it a run of so many turns.
func (s *simulation) byTurns(turns int) {
	s.turns = turns
	s.coordinator.ByTurns = true
}

// takeTurns begins the next turn of a run by turns, or ends it behind the last one.
func (s *simulation) takeTurns() {
	if s.turns == 0 || !s.coordinator.Idle() {
		return
	}
	if int(s.coordinator.turn) == s.turns {
		s.coordinator.Stop(s.clock())
		return
	}
	var stretches []json.RawMessage
	for _, a := range s.agents {
		stretches = append(stretches, json.RawMessage(fmt.Sprintf(`"turn %d of %s"`, s.coordinator.turn+1, a.id)))
	}
	s.coordinator.Begin(stretches, s.clock())
}

// exactTurns says what keeps a run by turns from being the one that was asked for: each agent's recording once and
// whole, and all turns at the same time everywhere, one after the other.
func (s *simulation) exactTurns() error {
	last := time.Duration(0)
	for turn := range s.turns {
		first, end := s.agents[0].spans[turn].began, last
		for _, a := range s.agents {
			if len(a.spans) != s.turns || a.spans[turn].began < last {
				return fmt.Errorf("%s: turn %d of %d began before the one before had ended", a.id, turn+1, len(a.spans))
			}
			if apart := (a.spans[turn].began - first).Abs(); apart > TurnLate+s.slowest+2*time.Millisecond {
				return fmt.Errorf("%s began turn %d %v away from %s", a.id, turn+1, apart, s.agents[0].id)
			}
			end = max(end, a.spans[turn].ended)
		}
		last = end
	}
	for _, a := range s.agents {
		if !bytes.Equal(s.kept[a.id], a.recording.Bytes()) || a.pieces != s.turns*piecesOfTurn || a.prepares != 1 {
			return fmt.Errorf("%s: %d bytes were kept of %d, %d pieces, prepared %d times", a.id, len(s.kept[a.id]),
				a.recording.Len(), a.pieces, a.prepares)
		}
	}
	return nil
}

// exact says what keeps the run from being the one that was asked for: each agent's recording once and whole, and a
// common start.
func (s *simulation) exact() error {
	var first, last time.Duration
	for _, a := range s.agents {
		if !bytes.Equal(s.kept[a.id], a.recording.Bytes()) || a.pieces != simulatedPieces {
			return fmt.Errorf("%s: %d bytes were kept of %d in %d pieces", a.id, len(s.kept[a.id]), a.recording.Len(),
				a.pieces)
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
