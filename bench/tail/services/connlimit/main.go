// Command connlimit asks a backend over at most two connections. Now and then a synchronisation uses
// both for 12 ms.
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

const width = 2

type proxy struct {
	client     *http.Client
	fast, slow string
}

func main() { serving.Main(start) }

func start(ctx context.Context) (serving.Handler, error) {
	b, err := backend.Start(ctx)
	if err != nil {
		return nil, err
	}
	p := &proxy{b.Client(width), b.URL(0), b.URL(12 * time.Millisecond)}
	go serving.Every(ctx, 240*time.Millisecond, p.synchronise)
	return p.forward, nil
}

func (p *proxy) forward(_ context.Context, r *serving.Request) error {
	began := time.Now()
	answer, err := p.client.Get(p.fast) // cause: channel
	r.Waited(1, began)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	return err
}

func (p *proxy) synchronise(context.Context) {
	var parts sync.WaitGroup
	for range width {
		parts.Go(func() {
			answer, err := p.client.Get(p.slow)
			if err == nil {
				_, _ = io.Copy(io.Discard, answer.Body) // one that fails comes again
				answer.Body.Close()
			}
		})
	}
	parts.Wait()
}
