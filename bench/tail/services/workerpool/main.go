// Command workerpool has two workers that take jobs from a channel. Now and then two jobs come that
// wait for a backend, and the small ones queue behind them.
package main

import (
	"context"
	"hash/crc32"
	"io"
	"net/http"
	"time"

	"github.com/gohone/hone/bench/tail/backend"
	"github.com/gohone/hone/bench/tail/serving"
)

const workers = 2

// job is a small one with somewhere to put its result, or a large one without.
type job struct{ result chan uint32 }

type pool struct {
	jobs   chan job
	page   [512]byte
	client *http.Client
	store  string // answers after 12 ms
}

func main() { serving.Main(start) }

func start(ctx context.Context) (serving.Handler, error) {
	b, err := backend.Start(ctx)
	if err != nil {
		return nil, err
	}
	p := &pool{jobs: make(chan job, 1024), client: b.Client(0), store: b.URL(12 * time.Millisecond)}
	for range workers {
		go p.work(ctx)
	}
	go serving.Every(ctx, 240*time.Millisecond, p.archive)
	return p.sum, nil
}

func (p *pool) sum(_ context.Context, r *serving.Request) error {
	j := job{result: make(chan uint32, 1)}
	p.jobs <- j
	began := time.Now()
	<-j.result // cause: channel
	r.Waited(1, began)
	return nil
}

func (p *pool) archive(context.Context) {
	for range workers {
		p.jobs <- job{}
	}
}

func (p *pool) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case j := <-p.jobs:
			p.carryOut(j)
		}
	}
}

func (p *pool) carryOut(j job) {
	if j.result != nil {
		j.result <- crc32.ChecksumIEEE(p.page[:])
		return
	}
	answer, err := p.client.Get(p.store) // behind
	if err == nil {
		_, _ = io.Copy(io.Discard, answer.Body) // one that fails comes again
		answer.Body.Close()
	}
}
