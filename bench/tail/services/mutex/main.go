// Command mutex counts requests under a lock, and sends the counts to its replica now and then
// without letting go of the lock.
package main

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/gohone/hone/bench/tail/backend"
	"github.com/gohone/hone/bench/tail/serving"
)

// store counts; replica takes the counts in 12 ms.
type store struct {
	mu      sync.Mutex
	counts  map[int]int
	client  *http.Client
	replica string
}

func main() { serving.Main(start) }

func start(ctx context.Context) (serving.Handler, error) {
	b, err := backend.Start(ctx)
	if err != nil {
		return nil, err
	}
	s := &store{counts: map[int]int{}, client: b.Client(0), replica: b.URL(12 * time.Millisecond)}
	go serving.Every(ctx, 240*time.Millisecond, s.flush)
	return s.count, nil
}

func (s *store) count(_ context.Context, r *serving.Request) error {
	began := time.Now()
	s.mu.Lock() // cause: lock
	r.Waited(1, began)
	s.counts[len(s.counts)%100]++
	s.mu.Unlock()
	return nil
}

func (s *store) flush(context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer, err := s.client.Get(s.replica) // behind
	if err == nil {
		_, _ = io.Copy(io.Discard, answer.Body) // one that fails comes again
		answer.Body.Close()
	}
	clear(s.counts)
}
