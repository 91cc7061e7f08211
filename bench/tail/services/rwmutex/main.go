// Command rwmutex reads prices under a lock for readers. Now and then a writer takes new prices from a
// backend while it holds the lock.
package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/gohone/hone/bench/tail/backend"
	"github.com/gohone/hone/bench/tail/serving"
)

type prices struct {
	mu     sync.RWMutex
	list   map[string]int
	client *http.Client
	source string // answers after 12 ms
}

func main() { serving.Main(start) }

func start(ctx context.Context) (serving.Handler, error) {
	b, err := backend.Start(ctx)
	if err != nil {
		return nil, err
	}
	p := &prices{list: map[string]int{"tea": 3}, client: b.Client(0), source: b.URL(12 * time.Millisecond)}
	go serving.Every(ctx, 240*time.Millisecond, p.reload)
	return p.read, nil
}

var errUnknown = errors.New("no such article")

func (p *prices) read(_ context.Context, r *serving.Request) error {
	began := time.Now()
	p.mu.RLock() // cause: lock
	r.Waited(1, began)
	defer p.mu.RUnlock()
	if p.list["tea"] == 0 {
		return errUnknown
	}
	return nil
}

func (p *prices) reload(context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	answer, err := p.client.Get(p.source) // behind
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, answer.Body) // one that fails comes again
	answer.Body.Close()
	p.list["tea"] = 3 + p.list["tea"]%2
}
