// Command evenbackend asks a backend for each request, which always takes 2 ms: the typical request
// waits for it.
package main

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/gohone/hone/bench/tail/backend"
	"github.com/gohone/hone/bench/tail/serving"
)

type proxy struct {
	client *http.Client
	url    string
}

func main() { serving.Main(start) }

func start(ctx context.Context) (serving.Handler, error) {
	b, err := backend.Start(ctx)
	if err != nil {
		return nil, err
	}
	return (&proxy{b.Client(0), b.URL(2 * time.Millisecond)}).forward, nil
}

func (p *proxy) forward(_ context.Context, r *serving.Request) error {
	began := time.Now()
	answer, err := p.client.Get(p.url) // cause: network
	r.Waited(1, began)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	return err
}
