package load

import (
	"slices"
	"time"
)

// A server may send faster than its bytes are read. So the loop stays with one connection for stayFor, or one read,
// and with all of them for turnFor, before it looks at the clock, the mail and the other connections again.
const (
	stayFor = int64(time.Millisecond)
	turnFor = 5 * stayFor
)

// goOn serves the connections that were left, those first that have waited longest.
func (w *worker) goOn() {
	served := 0
	for n := len(w.later); served < n && !w.turnOver(); served++ {
		t := w.later[served]
		k := &w.socks[t.Link]
		if k.left && k.generation == t.Generation {
			k.left = false
			w.serve(int(t.Link), k.hup)
		}
		if w.pacer != nil {
			w.dispatch()
		}
	}
	w.later = slices.Delete(w.later, 0, served)
}

// leave has connection i served in a later turn.
func (w *worker) leave(i int, hup bool) {
	k := &w.socks[i]
	k.hup = hup || k.left && k.hup
	if !k.left {
		k.left = true
		w.later = append(w.later, token(i, k))
	}
}

// turnOver says that this turn has taken its time.
func (w *worker) turnOver() bool { return w.turnEnds > 0 && w.now >= w.turnEnds }

// stay is until when the loop may stay with a connection, from now on.
func (w *worker) stay() int64 {
	if w.turnEnds == 0 {
		w.turnEnds = w.now + turnFor
	}
	return min(w.now+stayFor, w.turnEnds)
}
