// Command fixed renders tiles of a fractal: requests hand jobs to a renderer and answer when they
// are done.
package main

import (
	"flag"
	"fmt"
	"hash/adler32"
	"log"
	"net/http"
	"strconv"
	"sync"
)

type tile struct {
	x, y  int
	sum   uint32
	ready chan struct{}
}

// renderer works on jobs, and knows what is done.
type renderer struct {
	jobs chan int64
	mu   sync.Mutex
	last int64
	work map[int64]tile
	done map[int64]tile // until they are fetched
}

func (r *renderer) loop() {
	for id := range r.jobs {
		r.mu.Lock()
		t := r.work[id]
		delete(r.work, id)
		r.mu.Unlock()
		t.sum = render(t.x, t.y)
		r.mu.Lock()
		r.done[id] = t
		r.mu.Unlock()
		close(t.ready)
	}
}

func render(x, y int) uint32 {
	var pixels [1024]byte
	for i := range pixels {
		cr, ci := float64(x)/50+float64(i%32)/800-1.5, float64(y)/50+float64(i/32)/800-1
		zr, zi := 0.0, 0.0
		for zr*zr+zi*zi < 4 && pixels[i] < 30 {
			zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
			pixels[i]++
		}
	}
	return adler32.Checksum(pixels[:])
}

func (r *renderer) submit(t tile) int64 {
	r.mu.Lock()
	r.last++
	id := r.last
	r.work[id] = t
	r.mu.Unlock()
	r.jobs <- id
	return id
}

// await is the finished tile.
func (r *renderer) await(id int64, ready chan struct{}) tile {
	<-ready
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.done[id]
	delete(r.done, id)
	return t
}

func (r *renderer) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	x, err1 := strconv.Atoi(req.FormValue("x"))
	y, err2 := strconv.Atoi(req.FormValue("y"))
	if err1 != nil || err2 != nil {
		http.Error(w, "x and y are whole numbers", http.StatusBadRequest)
		return
	}
	ready := make(chan struct{})
	t := r.await(r.submit(tile{x: x, y: y, ready: ready}), ready)
	fmt.Fprintf(w, "%d,%d: %08x\n", t.x, t.y, t.sum)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	r := &renderer{jobs: make(chan int64, 100), work: map[int64]tile{}, done: map[int64]tile{}}
	for range 4 {
		go r.loop()
	}
	http.Handle("/tile", r)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
