package cover

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/gohone/hone/bench/cover/services"
)

// sent counts requests by their endpoints.
type sent map[string]int

func (s sent) total() (n int) {
	for _, one := range s {
		n += one
	}
	return n
}

// driver sends a demand to a service. It has nothing of hone's engine.
type driver struct {
	demand
	service services.Service
	address string
	seed    string // of the requests and of their moments
}

func (d driver) client() client {
	if d.service.HTTP() {
		return newWeb(d.address)
	}
	return &redis{address: d.address}
}

// open sends requests at random moments (Poisson) for a time, rateHz in the mean, with the bursts of the demand. Those that find no
// free connection wait for one. It ends when all are answered; the first failure ends it, too.
func (d driver) open(ctx context.Context, rateHz float64, length time.Duration) (sent, error) {
	source, moments := d.source(d.seed), seeded("moments", d.seed)
	return d.send(ctx, func(ctx context.Context, to chan<- request) {
		began, due := time.Now(), time.Duration(0)
		for {
			due += time.Duration(moments.ExpFloat64() / (rateHz * d.rate(due)) * float64(time.Second))
			if due >= length {
				return
			}
			time.Sleep(time.Until(began.Add(due)))
			select {
			case to <- source.next():
			case <-ctx.Done():
				return
			}
		}
	})
}

// closed sends so many requests, each connection the next one when it has an answer.
func (d driver) closed(ctx context.Context, n int) (sent, error) {
	source := d.source(d.seed)
	return d.send(ctx, func(ctx context.Context, to chan<- request) {
		for range n {
			select {
			case to <- source.next():
			case <-ctx.Done():
				return
			}
		}
	})
}

// waiting is how many requests of an open loop may wait for a connection.
const waiting = 10000

// send has the requests of a source sent by all connections. The source runs until it has no more, or its context ends.
func (d driver) send(ctx context.Context, source func(context.Context, chan<- request)) (sent, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	queue, counts := make(chan request, waiting), make([]sent, d.Connections)
	var all sync.WaitGroup
	for i := range d.Connections {
		counts[i] = sent{}
		all.Go(func() { // until the queue is closed
			c := d.client()
			for r := range queue {
				if ctx.Err() != nil {
					continue
				}
				if err := c.send(ctx, r); err != nil {
					stop(fmt.Errorf("send a request of %s: %w", r.endpoint, err))
				}
				counts[i][r.endpoint]++
			}
		})
	}
	source(ctx, queue)
	close(queue)
	all.Wait()
	sum := sent{}
	for _, one := range counts {
		for name, n := range one {
			sum[name] += n
		}
	}
	return sum, context.Cause(ctx)
}
