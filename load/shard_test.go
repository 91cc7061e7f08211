package load

import (
	"testing"
	"time"
)

// mute is a protocol for tests of the bookkeeping alone: nothing is built or read.
type mute struct{}

func (mute) Dialog(int) Dialog                                { return mute{} }
func (mute) AppendRequest(dst []byte, _ uint64) []byte        { return append(dst, 0) }
func (mute) NextAnswer([]byte, bool) (consumed int, a Answer) { return 0, Answer{} }

// A server that keeps back fewer answers than the window holds is silent in a drain, and
// that is not a stall: it goes on as soon as the window fills. Silence with the whole window
// outstanding is one, counted from the request that filled it.
func TestStalledMeansSilentWithTheWholeWindowOut(t *testing.T) {
	const timeout = 100
	s := newShard(0, Plan{Connections: 1, Depth: 4, Timeout: timeout}, mute{}, time.Now(), nil)
	s.cpu = func() time.Duration { return 0 }
	l := &link{}
	s.links = []*link{l}
	s.connect(l, 1)
	stalled := func(now int64) int { return s.report(now, 0).stalled }

	s.took(l, []int{1, 2}, nil, 2, 10)
	if got := stalled(10 + 5*timeout); got != 0 {
		t.Errorf("half a window out, silent for long: %d stalled, want 0", got)
	}
	s.took(l, []int{1, 2}, nil, 2, 1000) // the next slice fills the window
	if got := stalled(1000 + timeout/2); got != 0 {
		t.Errorf("window full for half the timeout: %d stalled, want 0", got)
	}
	if got := stalled(1000 + timeout); got != 1 {
		t.Errorf("window full for the timeout: %d stalled, want 1", got)
	}
}

// A closed loop begins with its first request: a thread that stood still before it, for longer than the stretch, takes
// nothing from it.
func TestAClosedLoopThatStandsStillFirst(t *testing.T) {
	s := newShard(0, Plan{Connections: 1, Depth: 1, Timeout: time.Second}, mute{}, time.Now(), nil)
	s.cpu = func() time.Duration { return 0 }
	l := &link{dialog: mute{}}
	s.links = []*link{l}
	now := s.clock()
	s.connect(l, now)
	s.begin(order{length: time.Millisecond, left: ^uint64(0), done: make(chan report, 1)}, now)
	late := now + int64(time.Second)
	if out, ends := s.fill(l, nil, nil, late); len(out) == 0 || len(ends) != 1 || s.began != late {
		t.Errorf("%d bytes, %d requests, begun %v after the order", len(out), len(ends), time.Duration(s.began-now))
	}
	if s.took(l, []int{1}, nil, 1, late); s.until != late+int64(time.Millisecond) {
		t.Errorf("it ends %v after its first request", time.Duration(s.until-late))
	}
}

// An open loop whose first request is due later may be ended before: it took no time then, and not less than none.
func TestEndedBeforeTheFirstRequest(t *testing.T) {
	s := newShard(0, Plan{Connections: 1, Depth: 1, Timeout: time.Second}, mute{}, time.Now(), nil)
	s.cpu = func() time.Duration { return 0 }
	reports := make(chan report, 1)
	now := s.clock()
	p := newPacer(OpenLoop(10, time.Second), 0, 1)
	s.begin(order{origin: now + int64(time.Hour), length: time.Second, drain: time.Second, pacer: p, done: reports},
		now)
	s.end(now)
	if r := <-reports; r.end != r.start || r.end < now || !r.last {
		t.Errorf("from %d to %d, now %d", r.start, r.end, now)
	}
}
