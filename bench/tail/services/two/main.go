// Command two serves some requests in two slow steps: it holds them back for 9 ms, and then asks a
// backend that takes 12 ms.
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
	return (&proxy{b.Client(0), b.URL(12 * time.Millisecond)}).serve, nil
}

func (p *proxy) serve(_ context.Context, r *serving.Request) error {
	if !serving.Seldom() {
		return nil
	}
	began := time.Now()
	time.Sleep(9 * time.Millisecond) // cause 1: sleep
	r.Waited(1, began)
	began = time.Now()
	answer, err := p.client.Get(p.url) // cause 2: network
	r.Waited(2, began)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	return err
}
