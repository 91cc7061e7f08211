package walltime

import (
	"cmp"
	"slices"
)

// handOver finds the requests that none has found yet, where one goroutine reads a connection and others answer. It
// returns how many it found.
func (h *history) handOver(all []seen) (found int) {
	var left []int // places in all
	serving := map[place]bool{}
	for i := range all {
		if by := all[i].window.by; by == none {
			left = append(left, i)
		} else {
			serving[by] = true
		}
	}
	if len(left) == 0 {
		return 0
	}
	requests := make([]Request, len(left))
	for i, at := range left {
		requests[i] = all[at].Request
	}
	// both are sorted by connection and sending
	read, n := assign(byConnection(requests), h.readingTracks(serving), HandedOn)
	if n == 0 {
		return 0
	}
	h.answered(read)
	for i, at := range left {
		if len(read[i].legs) > 0 {
			all[at] = read[i]
			found++
		}
	}
	return found
}

// readingTracks are what the goroutines that read sockets read, but for those that serve a connection by themselves.
func (h *history) readingTracks(serving map[place]bool) []track {
	var all []track
	for i := range h.goroutines {
		g := &h.goroutines[i]
		if site := h.readSite(g, blocked); site != 0 && !serving[place(i)] {
			if r := h.readings(place(i), site); len(r) > 0 {
				all = append(all, track{windows: r, kind: asRead})
			}
		}
	}
	return all
}

// readings are what a goroutine read at site, each as a window up to when it reads again. Where a read found something
// at once, it begins there.
func (h *history) readings(by place, site siteID) []window {
	g := &h.goroutines[by]
	var all []window
	open, completes := window{}, false // completes: the next read is of what a wait ended for
	next := func(at, start int64) {
		if open.start != 0 {
			open.write, open.end = at, at
			all = append(all, open)
		}
		open = window{by: by, start: start}
	}
	for i := range g.spans {
		s := &g.spans[i]
		switch read := h.stacks.all[s.stack].read == site; {
		case s.state == blocked && (read || g.idleFromStart(i)):
			start := int64(0)
			if i+1 < len(g.spans) {
				start = g.spans[i+1].at
			}
			next(s.at, start)
			completes = true
		case s.state != syscalling || !read:
		case completes:
			completes = false
		case !h.waitsNext(g, i, site):
			next(s.at, s.at)
		}
	}
	next(h.to, 0)
	return all
}

// answered finds who wrote the answers to requests, each of which has the window in which it was read. Requests without
// an answer keep no legs.
func (h *history) answered(read []seen) {
	f := &follower{history: h, homes: map[place]stackID{}}
	pumps := f.pumps(read)
	taken := map[written]bool{}
	for i := range read {
		s := &read[i]
		if s.window.by == none {
			continue
		}
		f.follow(s.window, s.Answered)
		pump, known := pumps[s.Conn]
		for j := len(f.writes) - 1; j >= 0 && len(s.legs) == 0; j-- {
			if w := f.writes[j]; !known || w.by == pump {
				f.settle(s, w, f.legs(w))
				taken[written{by: w.by, at: w.at}] = true
			}
		}
	}
	f.byTime(read, pumps, taken)
}

// settle gives a request the write that answered it, and the way up to it.
func (f *follower) settle(s *seen, w written, legs []leg) {
	s.legs = legs
	s.window = window{by: w.by, start: s.window.start, write: w.at, end: w.to}
}

// pumps are the goroutines that write the answers of a connection by themselves: those that a connection's requests
// reach nearly always, and of several the one that writes last.
func (f *follower) pumps(read []seen) map[int32]place {
	type tally struct {
		n     int
		early int64 // how long before the answer it writes, in all
	}
	pumps := map[int32]place{}
	for from := 0; from < len(read); {
		to, asked := from, 0
		writers := map[place]tally{}
		for ; to < len(read) && read[to].Conn == read[from].Conn; to++ {
			s := &read[to]
			if s.window.by == none {
				continue
			}
			asked++
			f.follow(s.window, s.Answered)
			last := map[place]int64{}
			for _, w := range f.writes {
				last[w.by] = w.at
			}
			for by, at := range last {
				t := writers[by]
				writers[by] = tally{t.n + 1, t.early + s.Answered - at}
			}
		}
		best := none
		for by, t := range writers {
			if asked < leastRequests || float64(t.n) < leastScore*float64(asked) {
				continue
			}
			b := writers[best]
			if best == none || cmp.Or(cmp.Compare(t.early*int64(b.n), b.early*int64(t.n)), cmp.Compare(by, best)) < 0 {
				best = by
			}
		}
		if best != none {
			pumps[read[from].Conn] = best
		}
		from = to
	}
	return pumps
}

// byTime gives requests to which no hand-over leads the last free write before their answer came: that of their
// connection's own writer or, where it has none, of a goroutine like those that answered other requests.
func (f *follower) byTime(read []seen, pumps map[int32]place, taken map[written]bool) {
	free := f.freeWrites(read, taken)
	order := make([]*seen, 0, len(read))
	for i := range read {
		if s := &read[i]; s.window.by != none && len(s.legs) == 0 {
			order = append(order, s)
		}
	}
	slices.SortFunc(order, func(a, b *seen) int {
		return cmp.Or(cmp.Compare(a.Answered, b.Answered), cmp.Compare(a.Conn, b.Conn))
	})
	for _, s := range order {
		pump, known := pumps[s.Conn]
		i, _ := slices.BinarySearchFunc(free, s.Answered,
			func(w written, at int64) int { return cmp.Compare(w.at, at) })
		for i--; i >= 0 && free[i].at > s.window.start; i-- {
			if known && free[i].by != pump {
				continue
			}
			f.settle(s, free[i], f.legsBefore(s.window, free[i]))
			free = slices.Delete(free, i, i+1)
			break
		}
	}
}

// freeWrites are the writes to sockets that answer no request yet, in the order of time: by goroutines like those that
// wrote an answer or, while none did, by all that read no socket.
func (f *follower) freeWrites(read []seen, taken map[written]bool) []written {
	roots := map[string]bool{}
	for w := range taken {
		roots[f.rootOf(&f.goroutines[w.by])] = true
	}
	var free []written
	for i := range f.goroutines {
		g, by := &f.goroutines[i], place(i)
		if len(roots) > 0 && !roots[f.rootOf(g)] || len(roots) == 0 && f.readSite(g, blocked) != 0 {
			continue
		}
		for j := range g.spans {
			s := &g.spans[j]
			if s.state == syscalling && f.stacks.all[s.stack].write && !taken[written{by: by, at: s.at}] {
				free = append(free, written{by: by, at: s.at, to: g.end(j, f.to)})
			}
		}
	}
	slices.SortFunc(free, func(a, b written) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	return free
}
