// Command errgroup asks its backend for three parts of each answer at the same time. The third takes
// 12 ms for some requests. What they wait for in the end is the network.
package main

import (
	"context"
	"io"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gohone/hone/bench/tail/backend"
	"github.com/gohone/hone/bench/tail/serving"
)

type page struct {
	client     *http.Client
	fast, slow string
}

func main() { serving.Main(start) }

func start(ctx context.Context) (serving.Handler, error) {
	b, err := backend.Start(ctx)
	if err != nil {
		return nil, err
	}
	return (&page{b.Client(0), b.URL(0), b.URL(12 * time.Millisecond)}).compose, nil
}

func (p *page) compose(_ context.Context, r *serving.Request) error {
	var g errgroup.Group
	g.Go(func() error { return p.get(p.fast) })
	g.Go(func() error { return p.get(p.fast) })
	g.Go(p.advertise)
	began := time.Now()
	err := g.Wait() // cause: lock, channel, network
	r.Waited(1, began)
	return err
}

func (p *page) advertise() error {
	if serving.Seldom() {
		return p.get(p.slow)
	}
	return p.get(p.fast)
}

func (p *page) get(url string) error {
	answer, err := p.client.Get(url) // cause: network // behind
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}
