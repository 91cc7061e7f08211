// Command fixed finds the shortest way through a town.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	"strconv"
)

const side = 16 // the town is a square

type stop struct {
	cost int32
	at   int32
	hops int64
}

// front is the stops that come next, the cheapest first.
type front []stop

func (f *front) push(s stop) {
	h := append(*f, s)
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if h[i].cost >= h[up].cost {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
	*f = h
}

func (f *front) pop() stop {
	h := *f
	n := len(h) - 1
	top := h[0]
	h[0] = h[n]
	h = h[:n]
	for i := 0; ; {
		down := 2*i + 1
		if down >= n {
			break
		}
		if r := down + 1; r < n && h[r].cost < h[down].cost {
			down = r
		}
		if h[i].cost <= h[down].cost {
			break
		}
		h[i], h[down] = h[down], h[i]
		i = down
	}
	*f = h
	return top
}

type town struct{ tolls [side * side]int32 }

func newTown() *town {
	t := new(town)
	for i := range t.tolls {
		t.tolls[i] = int32(i*7919%13 + 1)
	}
	return t
}

// way is the cost and the number of streets from one corner to another.
func (t *town) way(from, to int32) (cost int32, hops int64) {
	var known [side * side]bool
	next := make(front, 0, 2*side*side)
	next = append(next, stop{at: from})
	for len(next) > 0 {
		s := next.pop()
		if s.at == to {
			return s.cost, s.hops
		}
		if known[s.at] {
			continue
		}
		known[s.at] = true
		x, y := s.at%side, s.at/side
		for _, d := range [4][2]int32{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			nx, ny := x+d[0], y+d[1]
			if nx < 0 || ny < 0 || nx >= side || ny >= side || known[ny*side+nx] {
				continue
			}
			next.push(stop{s.cost + t.tolls[ny*side+nx], ny*side + nx, s.hops + 1})
		}
	}
	return -1, 0
}

func (t *town) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	from, err1 := strconv.ParseUint(r.PathValue("from"), 10, 8)
	to, err2 := strconv.ParseUint(r.PathValue("to"), 10, 8)
	if err1 != nil || err2 != nil {
		http.NotFound(w, r)
		return
	}
	cost, hops := t.way(int32(from), int32(to))
	fmt.Fprintf(w, "%d for %d streets\n", cost, hops)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	mux := http.NewServeMux()
	mux.Handle("GET /way/{from}/{to}", newTown())
	log.Fatal(http.ListenAndServe(*addr, mux))
}
