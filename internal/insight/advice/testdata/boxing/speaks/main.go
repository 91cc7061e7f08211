// Command speaks finds the shortest way through a town.
package main

import (
	"container/heap"
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

func (f front) Len() int           { return len(f) }
func (f front) Less(i, j int) bool { return f[i].cost < f[j].cost }
func (f front) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *front) Push(x any)        { *f = append(*f, x.(stop)) }
func (f *front) Pop() any {
	old := *f
	last := old[len(old)-1]
	*f = old[:len(old)-1]
	return last // want: boxing
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
		s := heap.Pop(&next).(stop) // want: boxing
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
			heap.Push(&next, stop{s.cost + t.tolls[ny*side+nx], ny*side + nx, s.hops + 1}) // want: boxing
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
