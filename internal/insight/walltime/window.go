package walltime

import (
	"cmp"
	"slices"
)

// window is the time that a goroutine works on a request, or on several that came together.
type window struct {
	by place
	// start is when the request woke the goroutine up, or when it was read without waiting.
	start int64
	// write is when the last write to a socket began, end when it ended.
	write, end int64
}

// idleSite is where a goroutine waits for its next request: of the places where it reads sockets
// and waits, the one with the fewest callers. A backend is read below the handler, which lies
// below the loop that reads requests. 0 if the goroutine is not one that reads and writes sockets.
func (h *history) idleSite(g *goroutine) siteID {
	if !slices.ContainsFunc(g.spans, func(s span) bool { return h.stacks.all[s.stack].write }) {
		return 0
	}
	// Where the processors are busy the next request may always be there when it is read, so that nothing waits for it.
	return cmp.Or(h.readSite(g, blocked), h.readSite(g, syscalling))
}

// readSite is the place with the fewest callers where a goroutine reads a socket and waits (blocked), or reads it
// (syscalling); 0 if it has none.
func (h *history) readSite(g *goroutine, in state) siteID {
	type seen struct {
		depth  int
		waited int64
	}
	sites := map[siteID]seen{}
	for i := range g.spans {
		k := &h.stacks.all[g.spans[i].stack]
		if k.read == 0 || g.spans[i].state != in {
			continue
		}
		s := sites[k.read]
		sites[k.read] = seen{depth: k.depth, waited: s.waited + g.end(i, h.to) - g.spans[i].at}
	}
	best := siteID(0)
	for id, s := range sites {
		b := sites[best]
		if best == 0 || cmp.Or(cmp.Compare(s.depth, b.depth), cmp.Compare(b.waited, s.waited),
			cmp.Compare(id, best)) < 0 {
			best = id
		}
	}
	return best
}

// connectionWindows are the windows of a goroutine that reads its requests at site: from the end
// of the wait for a request to the last write to a socket before the next one is read. A window
// without a write answers nothing, and one that the trace does not see whole is left out.
func (h *history) connectionWindows(by place, site siteID) []window {
	g := &h.goroutines[by]
	var all []window
	open, wrote := window{}, false
	next := func(start int64) { // 0: not yet
		if wrote {
			all = append(all, open)
		}
		open, wrote = window{by: by, start: start}, false
	}
	for i := range g.spans {
		s := &g.spans[i]
		k := &h.stacks.all[s.stack]
		switch {
		case s.state == blocked && (k.read == site || g.idleFromStart(i)):
			next(0)
			if i+1 < len(g.spans) {
				next(g.spans[i+1].at)
			}
		case s.state == syscalling && k.read == site && (wrote || open.start == 0) && !h.waitsNext(g, i, site):
			next(s.at)
		case s.state == syscalling && k.write && open.start != 0:
			open.write, open.end, wrote = s.at, g.end(i, h.to), true
		}
	}
	return all
}

// idleFromStart says whether span i is one in which the trace found the goroutine, without its stack,
// and which the network ended.
func (g *goroutine) idleFromStart(i int) bool {
	return i == 0 && g.spans[0].stack == 0 && len(g.spans) > 1 && g.spans[1].waker == none
}

// waitsNext says whether the read of span i found nothing, so that the goroutine waits for it.
func (h *history) waitsNext(g *goroutine, i int, site siteID) bool {
	for j := i + 1; j < len(g.spans) && j <= i+3; j++ {
		if s := &g.spans[j]; s.state == blocked {
			return h.stacks.all[s.stack].read == site
		}
	}
	return false
}

// lifetimes are windows of goroutines that were started for one request each: by the same
// creator, with the same first function, and seen from start to end.
type lifetimes struct {
	creator place
	entry   stackID
	windows []window
	total   int64 // of all of them
}

// families groups the goroutines that began and ended in the trace.
func (h *history) families() []lifetimes {
	type key struct {
		creator place
		entry   stackID
	}
	byKey := map[key]*lifetimes{}
	for i := range h.goroutines {
		g := &h.goroutines[i]
		if g.born == 0 || g.died == 0 || g.creator == none {
			continue
		}
		k := key{g.creator, g.entry}
		f := byKey[k]
		if f == nil {
			f = &lifetimes{creator: k.creator, entry: k.entry}
			byKey[k] = f
		}
		f.windows = append(f.windows, window{by: place(i), start: g.born, write: g.died, end: g.died})
		f.total += g.died - g.born
	}
	var all []lifetimes
	for _, f := range byKey {
		slices.SortFunc(f.windows, byStart)
		all = append(all, *f)
	}
	slices.SortFunc(all, func(a, b lifetimes) int {
		return cmp.Or(cmp.Compare(a.creator, b.creator), cmp.Compare(a.entry, b.entry))
	})
	return all
}

// rounds are the windows of an event loop: from one return of the kernel's poll to the next call.
func (h *history) rounds(by place) []window {
	g := &h.goroutines[by]
	var all []window
	since := int64(0)
	for i := range g.spans {
		s := &g.spans[i]
		if s.state != syscalling || !h.stacks.all[s.stack].poll {
			continue
		}
		if since != 0 {
			all = append(all, window{by: by, start: since, write: s.at, end: s.at})
		}
		since = g.end(i, h.to)
	}
	return all
}

func byStart(a, b window) int { return cmp.Compare(a.start, b.start) }
