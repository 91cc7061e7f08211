package walltime

import (
	"cmp"
	"slices"
)

// Request is one request as the load generator saw it, in nanoseconds of CLOCK_MONOTONIC.
type Request struct {
	Conn int32
	// Target is the place of its endpoint in Options.Endpoints.
	Target int
	// Due is when an open loop had to send it; 0 in a closed loop.
	Due, Sent, Answered int64
}

// since is the moment from which its latency counts.
func (r *Request) since() int64 {
	if r.Due != 0 {
		return min(r.Due, r.Sent)
	}
	return r.Sent
}

// Method is how the work on a request was found in the trace.
type Method string

// The methods.
const (
	Connections Method = "a goroutine for each connection"
	Goroutines  Method = "a goroutine for each request"
	HandedOn    Method = "goroutines that hand it to each other"
	EventLoop   Method = "rounds of an event loop"
	Unseen      Method = "none"
)

// seen is a request with its window; by is none where none was found. Legs are its way through several goroutines, in
// the order of time, the last of them that of the window; nil if the window's has it all the time.
type seen struct {
	Request
	window window
	legs   []leg
}

const (
	// stampSlack is how much later than the arrival of a request the generator may have stamped its
	// sending: it writes to several sockets and stamps them together.
	stampSlack = 200_000
	// leastScore is the share of a connection's requests that must fit the windows of a goroutine.
	leastScore = 0.8
	// leastJoined is the share of all requests that a method must find.
	leastJoined = 0.5
	// fewRequests are enough to see that a goroutine does not serve a connection, leastRequests are
	// needed to see that one does.
	fewRequests, leastRequests = 16, 4
	// mostFits bounds how many pairs of connections and goroutines are looked at, mostPairs how many of requests and
	// windows.
	mostFits, mostPairs = 20_000_000, 2_000_000
)

// track is a sequence of windows that may serve a connection.
type track struct {
	windows []window
	kind    trackKind
}

// trackKind says how the requests of a connection lie in the windows of a track.
type trackKind uint8

const (
	// of a connection's goroutine: one after the other, or several together if they are pipelined
	oneByOne trackKind = iota
	inOrder            // of goroutines of their own: side by side, in the order of sending
	inRounds           // of an event loop: with those of other connections
	asRead             // of a goroutine that reads the connection, and need not answer
)

// join finds the window of each request. Which goroutine serves which connection is told by
// time alone: the right one works between the sending and the answer of each request, once.
func (h *history) join(requests []Request) ([]seen, Method) {
	inside := slices.DeleteFunc(slices.Clone(requests), func(r Request) bool { return !h.holds(r) })
	conns := byConnection(inside)
	for _, m := range []struct {
		name   Method
		tracks func() []track
	}{
		{Connections, h.connectionTracks}, {Goroutines, h.familyTracks}, {EventLoop, h.loopTracks},
	} {
		tracks := m.tracks()
		all, joined := assign(conns, tracks, m.name)
		if m.name != EventLoop {
			joined += together(all, tracks)
		}
		if len(inside) > 0 && float64(joined) >= leastJoined*float64(len(inside)) {
			h.handOver(all)
			return all, m.name
		}
	}
	all := make([]seen, len(inside))
	for i, r := range inside {
		all[i] = seen{Request: r, window: window{by: none}}
	}
	if h.handOver(all) > 0 {
		return all, HandedOn
	}
	return all, Unseen
}

// holds says that a request began and ended during the trace.
func (h *history) holds(r Request) bool { return r.Sent >= h.from && r.Answered <= h.to }

// cutOff are the requests that were under way when the trace began or ended.
func (h *history) cutOff(requests []Request) (some []Request) {
	for _, r := range requests {
		if !h.holds(r) && r.Sent <= h.to && r.Answered >= h.from {
			some = append(some, r)
		}
	}
	return some
}

// windowsOnly are the windows as requests of their own, for a service under a load that is not hone's.
func (h *history) windowsOnly() ([]seen, Method) {
	for _, m := range []struct {
		name   Method
		tracks func() []track
	}{
		{Connections, h.connectionTracks}, {Goroutines, h.longestFamily}, {EventLoop, h.loopTracks},
	} {
		var all []seen
		for _, t := range m.tracks() {
			for _, w := range t.windows {
				all = append(all, seen{Request: Request{Sent: w.start, Answered: w.end}, window: w})
			}
		}
		if len(all) > 0 {
			return all, m.name
		}
	}
	return nil, Unseen
}

func (h *history) connectionTracks() []track {
	var all []track
	for i := range h.goroutines {
		if site := h.idleSite(&h.goroutines[i]); site != 0 {
			h.goroutines[i].site = site
			if w := h.connectionWindows(place(i), site); len(w) > 0 {
				all = append(all, track{windows: w})
			}
		}
	}
	return all
}

func (h *history) familyTracks() []track {
	var all []track
	for _, f := range h.families() {
		all = append(all, track{windows: f.windows, kind: inOrder})
	}
	return all
}

// longestFamily are the goroutines of one request each without a generator that knows the
// requests: those with the same first function that lived longest in all. A request comes over a socket: goroutines
// that touch none, and were started by one that touches none, are something else.
func (h *history) longestFamily() []track {
	total, most := map[stackID]int64{}, int64(0)
	families := slices.DeleteFunc(h.families(), func(f lifetimes) bool {
		return !h.onSockets(f.creator) && !slices.ContainsFunc(f.windows,
			func(w window) bool { return h.onSockets(w.by) })
	})
	for _, f := range families {
		total[f.entry] += f.total
		most = max(most, total[f.entry])
	}
	var all []track
	for _, f := range families {
		if total[f.entry] == most {
			all = append(all, track{windows: f.windows, kind: inOrder})
		}
	}
	return all
}

// onSockets says that a goroutine reads or writes a socket.
func (h *history) onSockets(p place) bool {
	return slices.ContainsFunc(h.goroutines[p].spans, func(s span) bool {
		k := &h.stacks.all[s.stack]
		return k.read != 0 || k.write
	})
}

func (h *history) loopTracks() []track {
	var all []track
	for i := range h.goroutines {
		if w := h.rounds(place(i)); len(w) > 0 {
			all = append(all, track{windows: w, kind: inRounds})
		}
	}
	return all
}

// byConnection sorts requests by connection and sending.
func byConnection(requests []Request) [][]Request {
	slices.SortFunc(requests, func(a, b Request) int {
		return cmp.Or(cmp.Compare(a.Conn, b.Conn), cmp.Compare(a.Sent, b.Sent), cmp.Compare(a.Answered, b.Answered))
	})
	var all [][]Request
	for from := 0; from < len(requests); {
		to := from + 1
		for to < len(requests) && requests[to].Conn == requests[from].Conn {
			to++
		}
		all = append(all, requests[from:to])
		from = to
	}
	return all
}

// fit is how well a track serves a connection.
type fit struct {
	conn, track int
	share       float64 // of the connection's requests
	total       int64   // of the time of the windows
}

// assign gives each connection the track that fits it best, and says how many requests have a
// window. An event loop serves many connections, the goroutines of others one each.
func assign(conns [][]Request, tracks []track, m Method) (all []seen, joined int) {
	var fits []fit
	for c := range conns {
		if len(conns[c]) < leastRequests && len(conns) > 1 || c*len(tracks) > mostFits {
			continue
		}
		for t := range tracks {
			if f := fitOf(conns[c], tracks[t]); f.share >= leastScore {
				f.conn, f.track = c, t
				fits = append(fits, f)
			}
		}
	}
	slices.SortStableFunc(fits, func(a, b fit) int {
		if m == Goroutines { // a connection may have several for each request; the one that lives longest has the work
			return cmp.Compare(b.total, a.total)
		}
		return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(b.total, a.total))
	})
	of, taken := make([]int, len(conns)), make([]bool, len(tracks))
	for c := range of {
		of[c] = -1
	}
	for _, f := range fits {
		if of[f.conn] >= 0 || m != EventLoop && taken[f.track] {
			continue
		}
		of[f.conn], taken[f.track] = f.track, true
	}
	for c, requests := range conns {
		from := len(all)
		for _, r := range requests {
			all = append(all, seen{Request: r, window: window{by: none}})
		}
		if of[c] < 0 {
			continue
		}
		tracks[of[c]].match(requests, func(i int, w window, _ bool) bool {
			all[from+i].window = w
			joined++
			return true
		})
	}
	return all, joined
}

// together gives windows to requests of connections that have none, as too few requests came over them. Of all pairs of
// a request and a free window that lies between its sending and its answer, that with the least time left over is taken
// first. It returns how many it found.
func together(all []seen, tracks []track) (found int) {
	taken := map[window]bool{}
	for i := range all {
		taken[all[i].window] = true
	}
	var free []window
	for _, t := range tracks {
		for _, w := range t.windows {
			if !taken[w] {
				free = append(free, w)
			}
		}
	}
	slices.SortFunc(free, byStart)
	type pair struct {
		request, window int
		over            int64
	}
	var pairs []pair
	for i := range all {
		r := &all[i]
		if r.window.by != none {
			continue
		}
		from, _ := slices.BinarySearchFunc(free, r.Sent-stampSlack,
			func(w window, at int64) int { return cmp.Compare(w.start, at) })
		for j := from; j < len(free) && free[j].start < r.Answered && len(pairs) < mostPairs; j++ {
			if w := free[j]; w.write <= r.Answered {
				pairs = append(pairs, pair{i, j, max(0, w.start-r.Sent) + r.Answered - w.write})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.over, b.over) })
	used := make([]bool, len(free))
	for _, p := range pairs {
		if r := &all[p.request]; r.window.by == none && !used[p.window] {
			r.window, used[p.window] = free[p.window], true
			found++
		}
	}
	return found
}

// fitOf says how many of the requests of a connection have a window of the track. It gives up
// early where most of the first do not.
func fitOf(requests []Request, t track) (f fit) {
	hits := 0
	t.match(requests, func(i int, w window, alone bool) bool {
		if alone {
			hits++
			f.total += w.end - w.start
			if t.kind == asRead {
				f.total += requests[i].Answered - w.end // who reads first reads the connection, and no backend
			}
		}
		return i < fewRequests || hits >= fewRequests/2
	})
	f.share = float64(hits) / float64(len(requests)+t.outside(requests))
	return f
}

// outside is how many readings lie between the requests of a connection, which its reader has none of.
func (t track) outside(requests []Request) (n int) {
	if t.kind != asRead {
		return 0
	}
	// the request after a reading, and what those before it cover
	next, from, to := 0, requests[0].Sent-stampSlack, int64(0)
	for _, w := range t.windows {
		for next < len(requests) && requests[next].Sent-stampSlack <= w.start {
			to = max(to, requests[next].Answered)
			next++
		}
		if w.start >= from && w.start > to && next < len(requests) {
			n++
		}
	}
	return n
}

// match calls do with each request of a connection that has a window, until it returns false.
// alone says that no other window could be the request's.
func (t track) match(requests []Request, do func(i int, w window, alone bool) bool) {
	if t.kind == inOrder {
		t.matchInOrder(requests, do)
		return
	}
	for i := range requests {
		w, alone, ok := t.serving(requests, i)
		if t.kind == asRead {
			w, ok = t.readFor(requests, i)
			alone = true
		}
		if ok && !do(i, w, alone) {
			return
		}
	}
}

// readFor is the first reading after request i of a connection was sent.
func (t track) readFor(requests []Request, i int) (w window, ok bool) {
	r := &requests[i]
	from := earliest(requests, i)
	j, _ := slices.BinarySearchFunc(t.windows, from, func(w window, at int64) int { return cmp.Compare(w.start, at) })
	if j == len(t.windows) || t.windows[j].start >= r.Answered {
		return window{}, false
	}
	return t.windows[j], true
}

// piped says whether request i of a connection was sent before the answer to the one before came.
func piped(requests []Request, i int) bool { return i > 0 && requests[i-1].Answered > requests[i].Sent }

// earliest is when the program may have read request i of a connection at the earliest.
func earliest(requests []Request, i int) int64 {
	from := requests[i].Sent - stampSlack
	if i > 0 && !piped(requests, i) {
		from = max(from, requests[i-1].Answered)
	}
	return from
}

// matchInOrder gives each request the next goroutine that was started after its sending.
func (t track) matchInOrder(requests []Request, do func(i int, w window, alone bool) bool) {
	next := 0
	for i, r := range requests {
		for next < len(t.windows) && t.windows[next].start < r.Sent {
			next++
		}
		if next == len(t.windows) {
			return
		}
		if t.windows[next].start > r.Answered {
			continue
		}
		if !do(i, t.windows[next], true) {
			return
		}
		next++
	}
}

// serving is the window that served request i of a connection: the last one whose write began
// before the answer came, if it lies after the sending. alone says that it is the only one.
func (t track) serving(requests []Request, i int) (w window, alone, ok bool) {
	r := &requests[i]
	from := earliest(requests, i)
	j, _ := slices.BinarySearchFunc(t.windows, r.Answered,
		func(w window, at int64) int { return cmp.Compare(w.start, at) })
	for j--; j >= 0; j-- {
		if t.windows[j].write <= r.Answered {
			break
		}
	}
	if j < 0 {
		return window{}, false, false
	}
	w = t.windows[j]
	// a window may serve several requests, and have begun with an earlier one
	if piped(requests, i) || t.kind == inRounds {
		return w, true, w.write >= r.Sent
	}
	if w.start < from {
		return window{}, false, false
	}
	return w, j == 0 || t.windows[j-1].start < from, true
}
