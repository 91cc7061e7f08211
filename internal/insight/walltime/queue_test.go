package walltime

import "testing"

// While a request that computes waits in the middle of it for another one, it counts as running: both take turns. Where
// it was woken up, or background work has the processor, it waits.
func TestRequestsThatComputeTakeTurns(t *testing.T) {
	for name, c := range map[string]struct {
		first  state // of the request, before it waits
		serves bool  // what has the processor meanwhile
		waits  bool
	}{
		"in the middle":         {running, true, false},
		"woken up":              {blocked, true, true},
		"behind the background": {running, false, true},
	} {
		h := &history{
			goroutines: []goroutine{
				{spans: []span{{at: 0, state: c.first}, {at: 10, state: runnable, waker: none},
					{at: 20, state: running}, {at: 30, state: blocked}}, serves: true},
				{spans: []span{{at: 10, state: running}, {at: 20, state: blocked}}, serves: c.serves},
			},
			procs:    [][]occupancy{{{0, 0}, {10, 1}, {20, 0}}},
			maxProcs: 1, to: 30, stacks: newStacks(),
		}
		w := newWalker(h)
		w.path(0, 10, 20, 0, first)
		for _, p := range w.pieces {
			own := w.chains[p.chain]
			for own.before != 0 {
				own = w.chains[own.before]
			}
			if waits := own.kind == kindRunnable; waits != c.waits || p.from != 10 || p.to != 20 {
				t.Errorf("%s: %+v, kind %d", name, p, own.kind)
			}
		}
		if len(w.pieces) != 1 {
			t.Errorf("%s: %+v", name, w.pieces)
		}
	}
}
