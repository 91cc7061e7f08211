package walltime

import (
	"cmp"
	"slices"
)

// A request may be read by one goroutine and answered by another: a reader hands it to a pool of workers, a hub hands
// its answer to the goroutine that writes to the connection. The trace shows a hand-over where one side waited for the
// other: the giver wakes the taker up, or the taker frees the giver, which waited for room. Where neither waited, the
// value lay in a buffer, and only time tells whose it was (see legsBefore).

// leg is the part of a request's way on which one goroutine has it.
type leg struct {
	by       place
	from, to int64
	// waits: the request waits to be taken by the goroutine, at stack.
	waits bool
	stack stackID
}

// touch is a goroutine that has a request from a moment on.
type touch struct {
	by    place
	from  int64
	idle  stackID // where it waits for the next one; 0 if it ends instead
	giver int     // the place in the list of who handed the request to it; -1 for the reader
}

// written is a write to a socket.
type written struct {
	by     place
	at, to int64
	touch  int // the place in the list of touches
}

// mostTouched bounds how many goroutines one request is followed through.
const mostTouched = 64

// follower follows requests from goroutine to goroutine.
type follower struct {
	*history
	homes map[place]stackID
	// touches and writes are of the request under way, in the order of time.
	touches []touch
	writes  []written
}

// follow finds who had a request that a goroutine read, from reading.start to until, and each write to a socket by one
// of them.
func (f *follower) follow(reading window, until int64) {
	f.touches = append(f.touches[:0], touch{by: reading.by, from: reading.start, giver: -1})
	f.writes = f.writes[:0]
	known := map[place]bool{reading.by: true}
	for n := 0; n < len(f.touches) && n < mostTouched; n++ {
		next := n // the earliest of those that are left: who is reached first gets the request
		for i := n + 1; i < len(f.touches); i++ {
			if f.touches[i].from < f.touches[next].from {
				next = i
			}
		}
		one := f.touches[next]
		f.touches = slices.Insert(slices.Delete(f.touches, next, next+1), n, one)
		limit := until
		if n == 0 {
			limit = min(limit, reading.end)
		}
		limit = f.endOf(one, limit)
		f.lookAt(n, limit, known)
	}
	slices.SortStableFunc(f.writes, func(a, b written) int { return cmp.Compare(a.at, b.at) })
}

// endOf is when a goroutine takes something else, limit at the latest: it waits where it was woken up, or frees a
// goroutine like the giver, which waited to hand something over.
func (f *follower) endOf(t touch, limit int64) int64 {
	g := &f.goroutines[t.by]
	for i := max(0, g.find(t.from)); t.idle != 0 && i < len(g.spans) && g.spans[i].at < limit; i++ {
		if s := &g.spans[i]; s.at > t.from && s.state == blocked && s.stack == t.idle {
			limit = s.at
		}
	}
	if t.giver < 0 {
		return limit
	}
	kin := f.rootOf(&f.goroutines[f.touches[t.giver].by])
	for _, w := range g.wakesIn(t.from+1, limit) {
		if b := f.blockedBefore(w); b != nil && b.why == onSend && f.rootOf(&f.goroutines[w.who]) == kin {
			return w.at
		}
	}
	return limit
}

// lookAt adds what goroutine n of the touches does with the request until limit: its writes, and who has the request
// next.
func (f *follower) lookAt(n int, limit int64, known map[place]bool) {
	t := f.touches[n]
	g := &f.goroutines[t.by]
	add := func(by place, from int64, idle stackID) {
		if by == none || known[by] || from >= limit {
			return
		}
		known[by] = true
		f.touches = append(f.touches, touch{by: by, from: from, idle: idle, giver: n})
	}
	for i := max(0, g.find(t.from)); i < len(g.spans) && g.spans[i].at < limit; i++ {
		s := &g.spans[i]
		switch {
		case s.at < t.from:
		case s.state == syscalling && f.stacks.all[s.stack].write:
			f.writes = append(f.writes, written{by: t.by, at: s.at, to: g.end(i, f.to), touch: n})
		case s.state == blocked && (s.why == onSend || s.why == onSelect) && i+1 < len(g.spans):
			if taker := g.spans[i+1].waker; taker != none {
				add(taker, g.spans[i+1].at, f.home(taker))
			}
		}
	}
	for _, w := range g.wakesIn(t.from, limit) {
		switch b := f.blockedBefore(w); {
		case b == nil: // started by this one, or not seen before
			if f.goroutines[w.who].born == w.at {
				add(w.who, w.at, 0)
			}
		case b.why == onChannel || b.why == onSelect || b.why == onWait:
			add(w.who, w.at, b.stack)
		}
	}
}

// legs are the way of a request up to a write of the touches.
func (f *follower) legs(to written) []leg {
	var all []leg
	end := to.to
	for n := to.touch; n >= 0; n = f.touches[n].giver {
		t := f.touches[n]
		all = append(all, leg{by: t.by, from: t.from, to: end})
		end = t.from
	}
	slices.Reverse(all)
	return all
}

// legsBefore are the way of a request up to a write that no hand-over in the trace leads to. Its reader had it until it
// read again. The way is followed backwards: from who wrote to who woke it up, and so on. A goroutine on the way that
// was not idle took the request out of a buffer when it was done with the one before.
func (f *follower) legsBefore(reading window, to written) []leg {
	var all []leg
	by, at, end, handed := to.by, to.at, to.to, min(reading.end, to.at)
	for range deepest {
		if by == reading.by {
			handed = at
			break
		}
		woken, waker := f.wokenLast(by, handed, at)
		began := f.doneLast(by, max(handed, woken), at)
		if began < woken && waker != none {
			all = append(all, leg{by: by, from: woken, to: end})
			by, at, end = waker, woken, woken
			continue
		}
		began = max(handed, began, woken)
		all = append(all, leg{by: by, from: began, to: end},
			leg{by: by, from: handed, to: began, waits: true, stack: f.home(by)})
		break
	}
	all = append(all, leg{by: reading.by, from: reading.start, to: handed})
	slices.Reverse(all)
	return all
}

// wokenLast is when a goroutine was last woken up at home between two moments, and by whom; 0 if it was not.
func (f *follower) wokenLast(by place, from, to int64) (at int64, waker place) {
	g, home := &f.goroutines[by], f.home(by)
	for i := g.find(to); i > 0 && g.spans[i].at > from; i-- {
		if b := &g.spans[i-1]; b.state == blocked && b.stack == home {
			return g.spans[i].at, g.spans[i].waker
		}
	}
	return 0, none
}

// doneLast is when a goroutine was last done with a request between two moments: it wrote to a socket, or woke up one
// that waited at its home. 0 if it was not.
func (f *follower) doneLast(by place, from, to int64) (at int64) {
	g := &f.goroutines[by]
	for i := g.find(to - 1); i >= 0 && g.end(i, f.to) > from; i-- {
		if s := &g.spans[i]; s.state == syscalling && s.at < to && f.stacks.all[s.stack].write && g.end(i, f.to) < to {
			at = g.end(i, f.to)
			break
		}
	}
	for _, w := range g.wakesIn(from+1, to) {
		if b := f.blockedBefore(w); b != nil && b.stack == f.home(w.who) && b.why != onSend {
			at = max(at, w.at)
		}
	}
	return at
}

// home is where a goroutine waits for something to do: of the places where it waits for another goroutine, the one with
// the fewest callers. 0 if it never does.
func (f *follower) home(by place) stackID {
	if at, ok := f.homes[by]; ok {
		return at
	}
	g, at := &f.goroutines[by], stackID(0)
	waited := map[stackID]int64{}
	for i := range g.spans {
		if s := &g.spans[i]; s.state == blocked && (s.why == onChannel || s.why == onSelect || s.why == onWait) &&
			s.stack != 0 {
			waited[s.stack] += g.end(i, f.to) - s.at
		}
	}
	for id, time := range waited {
		depth := cmp.Compare(len(f.stacks.all[id].frames), len(f.stacks.all[at].frames))
		if at == 0 || cmp.Or(depth, cmp.Compare(waited[at], time), cmp.Compare(id, at)) < 0 {
			at = id
		}
	}
	f.homes[by] = at
	return at
}

// blockedBefore is the wait that a wake ended; nil if it began with the wake, or is not known.
func (h *history) blockedBefore(w wake) *span {
	g := &h.goroutines[w.who]
	if i := g.find(w.at); i > 0 && g.spans[i-1].state == blocked {
		return &g.spans[i-1]
	}
	return nil
}

// wakesIn are the wakes in [from, to).
func (g *goroutine) wakesIn(from, to int64) []wake {
	at := func(w wake, t int64) int { return cmp.Compare(w.at, t) }
	i, _ := slices.BinarySearchFunc(g.wakes, from, at)
	j, _ := slices.BinarySearchFunc(g.wakes, max(from, to), at)
	return g.wakes[i:j]
}
