package walltime

import (
	"math/rand/v2"
	"testing"
)

// served makes the requests of some connections and the windows of the goroutines that serve them:
// each a while after the sending, with an answer a while after the write. think is the time between
// an answer and the next request.
func served(r *rand.Rand, conns, each int, think int64) (requests [][]Request, tracks []track) {
	for conn := range conns {
		t := int64(1e9) + r.Int64N(think+1)
		var mine []Request
		var all []window
		for range each {
			sent := t
			start := sent + 20_000 + r.Int64N(50_000)
			write := start + 10_000 + r.Int64N(400_000)
			end := write + 5_000
			answered := write + 10_000 + r.Int64N(60_000)
			mine = append(mine, Request{Conn: int32(conn), Sent: sent, Answered: answered})
			all = append(all, window{by: place(conn), start: start, write: write, end: end})
			t = answered + 5_000 + r.Int64N(think+1)
		}
		requests, tracks = append(requests, mine), append(tracks, track{windows: all})
	}
	return requests, tracks
}

// Which goroutine serves which connection is found by time alone, also while all of them are busy.
func TestAssign(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, think := range []int64{0, 100_000, 20_000_000} {
		requests, tracks := served(r, 30, 40, think)
		r.Shuffle(len(tracks), func(i, j int) { tracks[i], tracks[j] = tracks[j], tracks[i] })
		all, joined := assign(requests, tracks, Connections)
		if joined != 30*40 {
			t.Errorf("think time of %d us: %d requests joined, want all 1200", think/1000, joined)
		}
		for _, s := range all {
			if s.window.by != place(s.Conn) || s.window.start < s.Sent || s.window.write > s.Answered {
				t.Fatalf("think time of %d us: request %+v has window %+v", think/1000, s.Request, s.window)
			}
		}
	}
}

// Connections that carried one request each are told apart by the times of all of them together, while many are under
// way.
func TestTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		think int64 // the time in which all of them begin
		right int   // of 200
	}{{2_000_000_000, 195}, {200_000_000, 180}} {
		requests, tracks := served(r, 200, 1, c.think)
		all, joined := assign(requests, tracks, Connections)
		if joined != 0 {
			t.Errorf("%d requests of connections with one each are joined by their connection", joined)
		}
		found, right := together(all, tracks), 0
		for _, s := range all {
			if s.window.by == place(s.Conn) {
				right++
			}
		}
		t.Logf("%d of 200 requests found, %d of them right", found, right)
		if found < 195 || right < c.right {
			t.Errorf("begun within %d ms: %d of 200 requests found, %d of them right", c.think/1_000_000, found, right)
		}
	}
}

// Goroutines of one request each are started in the order of sending.
func TestMatchInOrder(t *testing.T) {
	one := track{kind: inOrder}
	var requests []Request
	for i := range int64(50) {
		at := 1000 * i
		requests = append(requests, Request{Sent: at, Answered: at + 20_000})
		one.windows = append(one.windows, window{by: place(i), start: at + 300, write: at + 15_000, end: at + 15_000})
	}
	one.windows = append([]window{{by: 99, start: -5000, write: 10}}, one.windows...) // of an earlier request
	n := 0
	one.match(requests, func(i int, w window, _ bool) bool {
		n++
		if w.by != place(i) {
			t.Errorf("request %d has the goroutine %d", i, w.by)
		}
		return true
	})
	if n != len(requests) {
		t.Errorf("%d of %d requests have a goroutine", n, len(requests))
	}
}
