// Command slowbackend asks a backend for each request, which takes 12 ms for some.
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
	client     *http.Client
	fast, slow string
}

func main() { serving.Main(start) }

func start(ctx context.Context) (serving.Handler, error) {
	b, err := backend.Start(ctx)
	if err != nil {
		return nil, err
	}
	return (&proxy{b.Client(0), b.URL(0), b.URL(12 * time.Millisecond)}).forward, nil
}

func (p *proxy) forward(_ context.Context, r *serving.Request) error {
	url := p.fast
	if serving.Seldom() {
		url = p.slow
	}
	began := time.Now()
	answer, err := p.client.Get(url) // cause: network
	r.Waited(1, began)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	return err
}
