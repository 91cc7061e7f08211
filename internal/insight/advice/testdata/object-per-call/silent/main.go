// Command silent keeps the last answers to queries. It makes a large value for each request, but the
// value stays: it is the entry of the cache, and readers may hold it after it was replaced.
package main

import (
	"flag"
	"fmt"
	"hash/maphash"
	"log"
	"net/http"
	"sync/atomic"
	"time"
)

// entry is an answer with what it was made from.
type entry struct {
	query   string
	made    time.Time
	weights [384]float32
	best    int
}

// recent keeps an entry for each of some slots. Entries are never written after they are stored.
type recent struct {
	seed  maphash.Seed
	slots [4096]atomic.Pointer[entry]
	made  atomic.Uint64
}

func (c *recent) slot(query string) *atomic.Pointer[entry] {
	n := maphash.String(c.seed, query) + c.made.Add(1)*7919 // spread: each request is rated anew
	return &c.slots[n%uint64(len(c.slots))]
}

func rate(query string) *entry {
	e := &entry{query: query, made: time.Now()}
	state := uint32(2166136261)
	for i := range e.weights {
		state = (state ^ uint32(query[i%len(query)])) * 16777619
		e.weights[i] = float32(state>>8) / (1 << 24)
		if e.weights[i] > e.weights[e.best] {
			e.best = i
		}
	}
	return e
}

func (c *recent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query().Get("q")
	if q == "" {
		http.Error(w, "no query", http.StatusBadRequest)
		return
	}
	e := rate(q)
	c.slot(q).Store(e)
	fmt.Fprintf(w, "%s: best %d, %.4f\n", e.query, e.best, e.weights[e.best])
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	c := &recent{seed: maphash.MakeSeed()}
	http.Handle("/explain", c)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
