package walltime

import (
	"slices"
	"testing"
	"time"

	"github.com/gohone/hone/internal/sys/machine"
)

const milli = int64(time.Millisecond)

// onThreads is a history of two threads: goroutine 0 runs on thread 71 from 10 to 20 ms and from 30 to 31 ms, in a
// system call from 31 to 32 ms; goroutine 1 runs on thread 72 from 0 to 100 ms.
func onThreads() *history {
	return &history{stacks: newStacks(), works: newWorks(), to: 100 * milli,
		threadPlaces: map[int64]int16{71: 1, 72: 2},
		goroutines: []goroutine{
			{spans: []span{{at: 5 * milli, state: runnable, thread: 1, waker: none},
				{at: 10 * milli, state: running, thread: 1}, {at: 20 * milli, state: blocked, why: onNetwork},
				{at: 29 * milli, state: runnable, thread: 1, waker: none}, {at: 30 * milli, state: running, thread: 1},
				{at: 31 * milli, state: syscalling, thread: 1}, {at: 32 * milli, state: gone}}},
			{spans: []span{{at: 0, state: running, thread: 2}}},
		}}
}

// A delay of a thread lies in its longest stretch between the readings; of a pause its end is the wait, and no pause
// that goes on is one.
func TestWhereADelayLies(t *testing.T) {
	delay := func(cause machine.Cause, thread, from, to int64, length time.Duration) machine.Delay {
		return machine.Delay{Cause: cause, Thread: thread, From: from * milli, To: to * milli, Length: length}
	}
	ms := func(from, to int64) interval { return interval{from * milli, to * milli} }
	for name, c := range map[string]struct {
		delays []machine.Delay
		thread int16
		want   []held
	}{
		"while it ran": {[]machine.Delay{delay(machine.ByOthers, 71, 10, 18, 4*time.Millisecond)}, 1,
			[]held{{ms(14, 18), kindPreempted}}},
		"while it slept": {[]machine.Delay{delay(machine.ByOthers, 71, 26, 31, 3*time.Millisecond)}, 1,
			[]held{{ms(26, 29), kindPreempted}}},
		"it sleeps on":   {[]machine.Delay{delay(machine.ByOthers, 71, 40, 44, 3*time.Millisecond)}, 1, nil},
		"another thread": {[]machine.Delay{delay(machine.ByOthers, 99, 10, 18, 4*time.Millisecond)}, 1, nil},
		"the host": {[]machine.Delay{delay(machine.ByHost, 0, 50, 80, 20*time.Millisecond)}, 2,
			[]held{{ms(60, 80), kindStolen}}},
		"after the trace": {[]machine.Delay{delay(machine.ByOthers, 71, 110, 118, 4*time.Millisecond)}, 1, nil},
		"two in one": {[]machine.Delay{delay(machine.ByOthers, 71, 10, 14, 3*time.Millisecond),
			delay(machine.ByOthers, 71, 12, 15, 3*time.Millisecond)}, 1,
			[]held{{ms(11, 14), kindPreempted}, {ms(14, 15), kindPreempted}}},
	} {
		h := onThreads()
		h.hold(Options{Delays: c.delays})
		if got := h.heldThreads[c.thread]; !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// A signal stops all threads: where the trace has no event while the process is stopped.
func TestStoppedByASignal(t *testing.T) {
	h := onThreads()
	h.gaps = []gap{{interval{40 * milli, 48 * milli}, true}, {interval{60 * milli, 70 * milli}, true}}
	h.hold(Options{Delays: []machine.Delay{{Cause: machine.BySignal, From: 41 * milli, To: 50 * milli}}})
	if want := []held{{interval{41 * milli, 48 * milli}, kindHalted}}; !slices.Equal(h.held, want) {
		t.Errorf("%v, want %v", h.held, want)
	}
}

// Of a request the time in which its thread, or the one that was to wake it up, had no CPU is neither running nor the
// network; its parts are still all of it.
func TestTimeOfARequestWithoutACPU(t *testing.T) {
	h := onThreads()
	h.hold(Options{Delays: []machine.Delay{
		{Cause: machine.ByOthers, Thread: 71, From: 12 * milli, To: 18 * milli, Length: 4 * time.Millisecond},
		{Cause: machine.ByOthers, Thread: 71, From: 26 * milli, To: 31 * milli, Length: 3 * time.Millisecond},
		{Cause: machine.ByOthers, Thread: 71, From: 1 * milli, To: 6 * milli, Length: 2 * time.Millisecond},
	}})
	w := newWalker(h)
	s := seen{Request: Request{Sent: 0, Answered: 33 * milli}, window: window{by: 0, start: 5 * milli, end: 32 * milli}}
	sums, whole := map[State]int64{}, int64(0)
	for _, p := range w.request(&s) {
		sums[stateOf[w.own(p.chain).kind]] += p.to - p.from
		whole += p.to - p.from
	}
	// 4 ms of running, 2 ms and 3 ms in which the thread had to wake up: for the connection, and for the backend
	if whole != 33*milli || sums[Preempted] != 9*milli || sums[Running] != 7*milli {
		t.Errorf("%d of %d ns, %v", whole, 33*milli, sums)
	}
}
