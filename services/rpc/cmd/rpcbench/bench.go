package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gohone/hone/services/internal/settings"
	"github.com/gohone/hone/services/rpc"
	"github.com/gohone/hone/services/rpc/helloworld"
)

// bench is what to measure.
type bench struct {
	concurrency, total, conns int
	target                    string
	stage                     rpc.Stage
}

// validate reports all faults at once.
func (b *bench) validate() error {
	return settings.Fill(
		settings.Check(b.concurrency >= 1, "concurrency is %d, want 1 or more", b.concurrency),
		settings.Check(b.total >= 1, "total is %d, want 1 or more", b.total),
		settings.Check(!b.stage.PerCaller || b.conns == 0 || b.conns == b.concurrency,
			"conns is %d, but %s has one for each of %d callers", b.conns, b.stage, b.concurrency),
		b.client().Validate,
	)
}

func (b *bench) client() rpc.ClientConfig {
	cfg := rpc.ClientConfig{Stage: b.stage.Name, Addr: b.target, Conns: b.conns}
	for cfg.Window = 1024; cfg.Window < b.concurrency && cfg.Window < 1<<15; {
		cfg.Window *= 2
	}
	return cfg
}

// result is what the calls came to. received counts the calls that got an answer of any
// kind, failed all that did not succeed.
type result struct {
	took                              time.Duration
	sent, received, succeeded, failed int
	firstFailure                      error
}

// measure makes the calls. Connections are dialled before the clock starts, by a call for
// each client that does not count. A heartbeat would be less work, and is not what every
// server has.
func (b *bench) measure(ctx context.Context) (result, error) {
	clients := make([]*rpc.Client, 1)
	if b.stage.PerCaller {
		clients = make([]*rpc.Client, b.concurrency)
	}
	for i := range clients {
		var err error
		if clients[i], err = rpc.NewClient(b.client()); err != nil {
			return result{}, err
		}
		defer clients[i].Close()
		if err := firstCall(ctx, clients[i]); err != nil {
			return result{}, err
		}
	}

	var left atomic.Int64
	left.Store(int64(b.total))
	counts := make([]result, b.concurrency)
	var callers sync.WaitGroup
	begun := time.Now()
	for i := range b.concurrency {
		client := clients[i%len(clients)]
		callers.Go(func() { counts[i] = call(ctx, client, &left) })
	}
	callers.Wait()
	return sum(counts, time.Since(begun)), nil
}

// firstCall makes a call whose answer, right or wrong, says that the server is there.
func firstCall(ctx context.Context, client *rpc.Client) error {
	err := client.Call(ctx, helloworld.Path, &helloworld.HelloRequest{Msg: "hello"}, new(helloworld.HelloReply))
	if _, answered := errors.AsType[*rpc.Error](err); answered {
		return nil
	}
	return err
}

// call makes one call after the other while there are any left. Calls have no context
// of their own: the client's timeout ends them.
func call(ctx context.Context, client *rpc.Client, left *atomic.Int64) (r result) {
	request, reply := &helloworld.HelloRequest{Msg: "hello"}, new(helloworld.HelloReply)
	for left.Add(-1) >= 0 && ctx.Err() == nil {
		r.sent++
		err := client.Call(context.Background(), helloworld.Path, request, reply)
		if _, answered := errors.AsType[*rpc.Error](err); err == nil || answered {
			r.received++
		}
		if err == nil && reply.Msg != "world" {
			err = fmt.Errorf("reply is %q, want %q", reply.Msg, "world")
		}
		if err == nil {
			r.succeeded++
			continue
		}
		r.failed++
		if r.firstFailure == nil {
			r.firstFailure = err
		}
	}
	return r
}

func sum(counts []result, took time.Duration) result {
	all := result{took: took}
	for _, r := range counts {
		all.sent += r.sent
		all.received += r.received
		all.succeeded += r.succeeded
		all.failed += r.failed
		if all.firstFailure == nil {
			all.firstFailure = r.firstFailure
		}
	}
	return all
}

// print prints the published report.
func (r result) print(w io.Writer) {
	fmt.Fprintf(w, "took             %d ms\n", r.took.Milliseconds())
	fmt.Fprintf(w, "sent             %d\n", r.sent)
	fmt.Fprintf(w, "received         %d\n", r.received)
	fmt.Fprintf(w, "succeeded        %d\n", r.succeeded)
	fmt.Fprintf(w, "failed           %d\n", r.failed)
	fmt.Fprintf(w, "throughput (TPS) %.0f\n", float64(r.succeeded)/r.took.Seconds())
}
