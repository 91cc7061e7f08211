package walltime

import (
	"slices"
	"sort"
)

// link says how a stack follows another on the critical path.
type link uint8

const (
	first  link = iota // the request's own goroutine
	wokeUp             // the goroutine that woke the one before up
	child              // the same, and the one before had started it
	ahead              // the goroutine that had the processor that the one before waited for
)

// chainID names a chain of stacks; 0 is the empty one.
type chainID uint32

// chain is a stack behind the chain of those that waited for it.
type chain struct {
	before chainID
	stack  stackID
	link   link
	kind   kind
}

// kind is what a stack of a chain does.
type kind uint8

const (
	kindUnknown kind = iota
	kindRunning
	kindRunnable
	kindSyscall
	kindLock
	kindWait
	kindChannel
	kindNetwork
	kindSleep
	kindCollector
	kindStopped // the world was stopped
	kindBefore  // of the window: on its way to the goroutine
	kindAfter   // on its way back
	kindUnsent  // in the generator
	kindOthers  // another request
	kindQueue   // for another goroutine, with nothing sent over the network before
	// The kernel did not let the program run: the quota of CPU time was used up, a signal had stopped it, other programs
	// had the CPU, or the host of the virtual machine had.
	kindThrottled
	kindHalted
	kindPreempted
	kindStolen
)

// piece is a part of a request's time.
type piece struct {
	from, to int64
	chain    chainID
	on       workID // the statement that was worked on
}

// walker walks critical paths and keeps the chains that it meets.
type walker struct {
	*history
	likely likely
	chains []chain
	known  map[chain]chainID
	// pieces are those of the request under way; visiting are the goroutines that the path leads
	// through.
	pieces   []piece
	visiting []place
	since    int64 // the beginning of its window
	// kin is how many of visiting, from the first on, work for the request: its own goroutine, and those that it
	// started. calls counts the statements that they began.
	kin   int
	calls map[workID]int
}

func newWalker(h *history) *walker {
	return &walker{history: h, likely: h.likelyStacks(), chains: make([]chain, 1), known: map[chain]chainID{},
		calls: map[workID]int{}}
}

// under is the chain before, with one more stack.
func (w *walker) under(before chainID, l link, k kind, s stackID) chainID {
	c := chain{before: before, stack: s, link: l, kind: k}
	id, ok := w.known[c]
	if !ok {
		id = chainID(len(w.chains))
		w.chains = append(w.chains, c)
		w.known[c] = id
	}
	return id
}

// own is the link of a chain that is the request's own.
func (w *walker) own(id chainID) chain {
	c := w.chains[id]
	for c.before != 0 {
		c = w.chains[c.before]
	}
	return c
}

// emit adds time to the pieces; where a quota or a signal held the program back, it is that and not what would have
// been done.
func (w *walker) emit(from, to int64, c chainID) {
	for from < to && !w.chains[c].kind.goesOn() {
		held := firstHeld(w.held, from, to)
		w.add(from, held.from, c)
		if held.from < held.to {
			w.pieces = append(w.pieces, piece{held.from, held.to, w.under(0, first, held.kind, 0), 0})
		}
		from = held.to
	}
	w.add(from, to, c)
}

// add adds time to the pieces, in parts where the work of the request's goroutines changes.
func (w *walker) add(from, to int64, c chainID) {
	for from < to {
		on, until := w.onStatement(w.visiting[:w.kin], from, to)
		if at := w.chains[c].stack; on == 0 && w.kin > 0 && w.kin == len(w.visiting) && w.stacks.all[at].rows {
			on = w.rowsOf(&w.goroutines[w.visiting[w.kin-1]], at, from)
		}
		w.pieces = append(w.pieces, piece{from, until, c, on})
		from = until
	}
}

// request walks the critical path of one request, from the moment its latency counts from to its
// answer. The pieces are valid until the next call.
func (w *walker) request(s *seen) []piece {
	w.pieces, w.visiting, w.kin = w.pieces[:0], w.visiting[:0], 0
	clear(w.calls)
	since := s.since()
	w.emit(since, s.Sent, w.under(0, first, kindUnsent, 0))
	if s.window.by == none {
		w.emit(s.Sent, s.Answered, w.under(0, first, kindUnknown, 0))
		return w.pieces
	}
	start, end := min(max(s.window.start, s.Sent), s.Answered), min(s.window.end, s.Answered)
	w.before(s.Sent, start, w.threadAt(s.window.by, start))
	for _, l := range s.way() {
		w.leg(l, max(start, l.from), min(end, l.to))
	}
	w.emit(max(start, end), s.Answered, w.under(0, first, kindAfter, 0))
	return w.pieces
}

// way is the way of a request through goroutines: its legs, or that of its window alone.
func (s *seen) way() []leg {
	if s.legs == nil {
		return []leg{{by: s.window.by, from: s.window.start, to: s.window.end}}
	}
	return s.legs
}

// leg explains the part of a request's time in which one goroutine had it, or was to take it.
func (w *walker) leg(l leg, from, to int64) {
	w.since = from
	if l.waits {
		w.path(l.by, from, to, w.under(0, first, kindQueue, l.stack), wokeUp)
		return
	}
	w.countCalls(l.by, from, to, deepest)
	w.path(l.by, from, to, 0, first)
}

// before explains the time from sending to the window: while every processor is taken, the
// network poller does not look at the socket, and the request waits behind what has them. poller is the thread that
// looked at it then.
func (w *walker) before(from, to int64, poller int16) {
	if to <= from {
		return
	}
	if p := w.leastBusy(from, to); p >= 0 {
		w.occupied(p, from, to, w.under(0, first, kindBefore, 0), 0, poller)
		return
	}
	w.emitOn(poller, from, to, w.under(0, first, kindBefore, 0))
}

// leastBusy is the processor that had a goroutine for the least time of a stretch: the next request
// goes to one that is free. -1 if one was free all the time, or they are not all known.
func (w *walker) leastBusy(from, to int64) int {
	if w.maxProcs == 0 || len(w.procs) < w.maxProcs {
		return -1
	}
	best, least := -1, int64(0)
	for p := range w.procs {
		busy := int64(0)
		w.eachOccupant(p, from, to, func(a, b int64, by place) {
			if by != none {
				busy += b - a
			}
		})
		if busy == 0 {
			return -1
		}
		if best < 0 || busy < least {
			best, least = p, busy
		}
	}
	return best
}

const (
	// deepest bounds how many goroutines a path leads through, each waiting for the next.
	deepest = 12
	// mostHandoffs bounds how often a resource went from one goroutine to the next during a wait.
	mostHandoffs = 1000
)

// path walks what goroutine g did from from to to, behind the chain before.
func (w *walker) path(g place, from, to int64, before chainID, l link) {
	if to <= from {
		return
	}
	kin, me := w.kin, &w.goroutines[g]
	if l == first || l == child && kin == len(w.visiting) {
		w.kin = len(w.visiting) + 1
	}
	w.visiting = append(w.visiting, g)
	defer func() { w.visiting, w.kin = w.visiting[:len(w.visiting)-1], kin }()
	i := me.find(from)
	if i < 0 {
		until := to
		if len(me.spans) > 0 {
			until = min(to, me.spans[0].at)
		}
		w.emit(from, until, w.orBefore(before))
		i = 0
	}
	for ; i < len(me.spans) && me.spans[i].at < to; i++ {
		a, b := max(from, me.spans[i].at), min(to, me.end(i, w.to))
		if b > a {
			w.span(g, i, a, b, before, l)
		}
	}
}

// orBefore is the chain that time without a known state belongs to.
func (w *walker) orBefore(before chainID) chainID {
	if before != 0 {
		return before
	}
	return w.under(0, first, kindUnknown, 0)
}

// span explains a part of span i of goroutine g.
func (w *walker) span(g place, i int, a, b int64, before chainID, l link) {
	me := &w.goroutines[g]
	s := &me.spans[i]
	switch s.state {
	case running:
		w.eachStack(me, a, b, s.stack, func(a, b int64,
			at stackID) {
			w.emitOn(s.thread, a, b, w.under(before, l, kindRunning, at))
		})
	case assisting:
		w.emitOn(s.thread, a, b, w.under(before, l, kindCollector, s.stack))
	case syscalling:
		w.emitOn(s.thread, a, b, w.under(before, l, kindSyscall, s.stack))
	case runnable:
		w.queue(g, i, a, b, before, l)
	case blocked:
		kin := w.kin
		if w.stacks.all[s.stack].pool {
			w.kin = 0 // it works on no statement yet
		}
		w.wait(g, i, a, b, before, l)
		w.kin = kin
	default:
		w.emit(a, b, w.orBefore(before))
	}
}

// wait explains a part of a span in which g is blocked: by the goroutine that ended it.
func (w *walker) wait(g place, i int, a, b int64, before chainID, l link) {
	me := &w.goroutines[g]
	s := &me.spans[i]
	k, follow := kindOf(s.why)
	waker, poller := none, int16(0)
	if i+1 < len(me.spans) {
		waker, poller = me.spans[i+1].waker, me.spans[i+1].thread
	}
	if k == kindChannel && waker == none && i+1 < len(me.spans) {
		k = kindSleep // the scheduler itself ends it: a timer
	}
	if before == 0 && (k == kindChannel || k == kindWait) && !w.wroteBetween(g, w.since, a) {
		k = kindQueue
	}
	own := w.under(before, l, k, s.stack)
	if !follow || waker == none {
		w.emitOn(poller, a, b, own)
		return
	}
	w.follow(waker, a, b, own, s)
}

// wroteBetween says whether goroutine g, or one that it woke up or started, wrote to a socket between two
// moments: whether what it waits for then may be an answer.
func (w *walker) wroteBetween(g place, from, to int64) bool {
	me := &w.goroutines[g]
	if w.wrote(me, from, to) {
		return true
	}
	i := sort.Search(len(me.wakes), func(i int) bool { return me.wakes[i].at >= from })
	for ; i < len(me.wakes) && me.wakes[i].at <= to; i++ {
		if w.wrote(&w.goroutines[me.wakes[i].who], me.wakes[i].at, to+soonWritten) {
			return true
		}
	}
	return false
}

// soonWritten is how long after a goroutine handed a request over another one may begin to write it.
const soonWritten = 2_000_000

// wrote says whether a goroutine began to write to a socket between two moments.
func (w *walker) wrote(g *goroutine, from, to int64) bool {
	for i := max(0, g.find(from)); i < len(g.spans) && g.spans[i].at < to; i++ {
		if s := &g.spans[i]; s.state == syscalling && s.at >= from && w.stacks.all[s.stack].write {
			return true
		}
	}
	return false
}

// kindOf says what a reason is, and whether another goroutine ends the wait.
func kindOf(why reason) (k kind, follow bool) {
	switch why {
	case onNetwork:
		return kindNetwork, false
	case onSleep:
		return kindSleep, false
	case onLock:
		return kindLock, true
	case onWait:
		return kindWait, true
	case onChannel, onSend, onSelect:
		return kindChannel, true
	case onCollector:
		return kindCollector, false
	}
	return kindUnknown, true
}

// follow walks what the waker did while a goroutine was blocked in span s, from a to b. Where the
// waker queued at the same place itself, what it did before does not matter: the path goes on with
// the goroutine that ended its wait, which had the resource before.
func (w *walker) follow(waker place, a, b int64, own chainID, s *span) {
	for range mostHandoffs {
		if waker == none || slices.Contains(w.visiting, waker) || len(w.visiting) >= deepest {
			break
		}
		it := &w.goroutines[waker]
		from, next := a, none
		if j := w.queuedLast(it, a, b, s); j >= 0 {
			from, next = max(a, it.end(j, w.to)), it.spans[j+1].waker
		} else if it.born > a {
			from, next = min(b, it.born), it.creator
		}
		if began, ok := w.windowAt(waker, b); ok && began > from {
			from, next = began, none // it worked on another request before
		}
		l := wokeUp
		if n := len(w.visiting); n > 0 && it.creator == w.visiting[n-1] {
			l = child
		}
		w.path(waker, from, b, own, l)
		b, waker = from, next
		if b <= a {
			return
		}
	}
	w.emit(a, b, own)
}

// queuedLast is the last span of g that ended in (a, b) in which it waited for the same resource
// as span s: at the same place, or for a lock too. -1 if there is none.
func (w *walker) queuedLast(g *goroutine, a, b int64, s *span) int {
	for j := g.find(b); j >= 0 && g.end(j, w.to) > a; j-- {
		t := &g.spans[j]
		if t.state != blocked || t.why != s.why || g.end(j, w.to) > b || j+1 >= len(g.spans) {
			continue
		}
		if t.stack == s.stack || t.why == onLock {
			return j
		}
	}
	return -1
}

// windowAt is when the window of a connection's goroutine began that is open at t.
func (w *walker) windowAt(g place, t int64) (began int64, ok bool) {
	site := w.goroutines[g].site
	if site == 0 {
		return 0, false
	}
	me := &w.goroutines[g]
	for i := me.find(t); i >= 0; i-- {
		if s := &me.spans[i]; s.state == blocked && w.stacks.all[s.stack].read == site {
			return min(t, me.end(i, w.to)), true
		}
	}
	return 0, false
}
