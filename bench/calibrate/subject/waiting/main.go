// Command waiting is a subject of the calibration that waits more than it computes: each
// request holds a lock for a moment, asks a backend that takes two milliseconds, and answers
// with what it said. It spins -spin iterations more for each request, outside of the lock.
//
//	waiting -addr 127.0.0.1:8080 -spin 0
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gohone/hone/bench/calibrate/spin"
	"github.com/gohone/hone/services/visits"
)

const (
	// slow is how long the backend takes, and held how many iterations the lock is held for:
	// some five microseconds.
	slow = 2 * time.Millisecond
	held = 10_000
)

// stock is guarded by a lock that all requests want.
type stock struct {
	mu    sync.Mutex
	left  int
	since time.Time
}

// ServeHTTP reserves one piece and asks the backend for its price.
func (s *stock) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.reserve()
	fmt.Fprintf(w, "price %d\n", price(r.URL.Path))
}

func (s *stock) reserve() {
	s.mu.Lock()
	defer s.mu.Unlock()
	spin.Spin(held)
	s.left--
	s.since = time.Now()
}

// price is the backend: it answers late, and always the same.
func price(article string) int {
	answer := make(chan int, 1)
	time.AfterFunc(slow, func() { answer <- 3 * len(article) })
	return <-answer
}

func main() { spin.Main(serve) }

func serve(ctx context.Context, ln net.Listener, iterations int) error {
	return visits.Serve(ctx, ln, spin.Handler(&stock{}, iterations))
}
