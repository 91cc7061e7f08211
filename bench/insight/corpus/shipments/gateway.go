package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
)

type queue struct {
	mu   sync.Mutex
	last [][]byte
	next int
}

func (q *queue) push(b []byte) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.last[q.next%len(q.last)] = b
	q.next++
	return len(b)
}

type gateway struct {
	queues map[string]*queue
	count  atomic.Int64
}

func newGateway(keep int) *gateway {
	g := &gateway{queues: map[string]*queue{}}
	for _, c := range []string{"dhl", "ups", "post"} {
		g.queues[c] = &queue{last: make([][]byte, keep)}
	}
	return g
}

func (g *gateway) accept(w http.ResponseWriter, r *http.Request) {
	carrier := r.Header.Get("X-Carrier")
	q, ok := g.queues[carrier]
	if !ok {
		http.Error(w, "no such carrier", http.StatusBadRequest)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 256<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	out, err := stamp(body, carrier, "v2")
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	sum := sha256.Sum256(body)
	q.push(out)
	g.count.Add(1)
	w.Header().Set("X-Digest", hex.EncodeToString(sum[:]))
	fmt.Fprintf(w, "{\"bytes\":%d}\n", len(out))
}

func (g *gateway) show(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "{\"accepted\":%d}\n", g.count.Load())
}
