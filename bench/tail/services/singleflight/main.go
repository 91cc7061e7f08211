// Command singleflight keeps an answer of its backend for 240 ms. When it is too old, one request gets
// a new one in 12 ms, and the others wait for that one: in the end, all of them for the network.
package main

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/gohone/hone/bench/tail/backend"
	"github.com/gohone/hone/bench/tail/serving"
)

const fresh = 240 * time.Millisecond

type cache struct {
	group  singleflight.Group
	client *http.Client
	source string
	until  atomic.Int64 // Unix nanoseconds
}

func main() { serving.Main(start) }

func start(ctx context.Context) (serving.Handler, error) {
	b, err := backend.Start(ctx)
	if err != nil {
		return nil, err
	}
	return (&cache{client: b.Client(0), source: b.URL(12 * time.Millisecond)}).read, nil
}

func (c *cache) read(_ context.Context, r *serving.Request) error {
	if time.Now().UnixNano() < c.until.Load() {
		return nil
	}
	began := time.Now()
	_, err, _ := c.group.Do("price", c.refresh) // cause: lock, channel, network
	r.Waited(1, began)
	return err
}

func (c *cache) refresh() (any, error) {
	answer, err := c.client.Get(c.source) // cause: network // behind
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	c.until.Store(time.Now().Add(fresh).UnixNano())
	return nil, err
}
