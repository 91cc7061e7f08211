// Command cond collects records in a batch. While the batch is sent, which takes 12 ms now and then,
// requests wait on a condition.
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

type batch struct {
	mu      sync.Mutex
	sent    *sync.Cond
	sending bool
	records []time.Time
	client  *http.Client
	store   string
}

func main() { serving.Main(start) }

func start(ctx context.Context) (serving.Handler, error) {
	b, err := backend.Start(ctx)
	if err != nil {
		return nil, err
	}
	x := &batch{client: b.Client(0), store: b.URL(12 * time.Millisecond)}
	x.sent = sync.NewCond(&x.mu)
	go serving.Every(ctx, 240*time.Millisecond, x.send)
	return x.add, nil
}

func (x *batch) add(_ context.Context, r *serving.Request) error {
	began := time.Now()
	x.mu.Lock()
	defer x.mu.Unlock()
	for x.sending {
		x.sent.Wait() // cause: lock, channel
	}
	r.Waited(1, began)
	x.records = append(x.records, began)
	return nil
}

func (x *batch) send(context.Context) {
	x.mark(true)
	answer, err := x.client.Get(x.store) // behind
	if err == nil {
		_, _ = io.Copy(io.Discard, answer.Body) // one that fails comes again
		answer.Body.Close()
	}
	x.mark(false)
}

func (x *batch) mark(sending bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.sending = sending
	x.records = x.records[:0]
	x.sent.Broadcast()
}
