package rpc_test

import (
	"context"
	"errors"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gohone/hone/services/internal/servicetest"
	"github.com/gohone/hone/services/rpc"
	"github.com/gohone/hone/services/rpc/helloworld"
)

// benchServer is a server and a function that stops it.
func benchServer(tb testing.TB, stage string) (addr string, stop func()) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	r, stop := startOn(tb, ln, rpc.Config{Stage: stage})
	return r.Addr, stop
}

// BenchmarkCall is a call of SayHello from end to end, client and server in one process,
// by stage and number of callers. naive has a connection for each caller.
func BenchmarkCall(b *testing.B) {
	for _, stage := range rpc.Stages {
		for name, callers := range map[string]int{"1 caller": 1, "100 callers": 100} {
			b.Run(stage.Name+"/"+name, func(b *testing.B) {
				addr, stop := benchServer(b, stage.Name)
				defer stop()
				clients := make([]*rpc.Client, 1)
				if stage.PerCaller {
					clients = make([]*rpc.Client, callers)
				}
				for i := range clients {
					var err error
					if clients[i], err = rpc.NewClient(rpc.ClientConfig{Stage: stage.Name, Addr: addr}); err != nil {
						b.Fatal(err)
					}
					defer clients[i].Close()
					hello(b, clients[i])
				}
				var left atomic.Int64
				left.Store(int64(b.N))
				b.ReportAllocs()
				b.ResetTimer()
				var done sync.WaitGroup
				for i := range callers {
					done.Go(func() {
						if err := callOn(clients[i%len(clients)], &left); err != nil {
							b.Error(err)
						}
					})
				}
				done.Wait()
				b.StopTimer() // closing is not the call's
			})
		}
	}
}

// callOn makes calls until left is used up.
func callOn(c *rpc.Client, left *atomic.Int64) error {
	request, reply := &helloworld.HelloRequest{Msg: "hello"}, new(helloworld.HelloReply)
	for left.Add(-1) >= 0 {
		if err := c.Call(context.Background(), helloworld.Path, request, reply); err != nil {
			return err
		}
		if reply.Msg != "world" {
			return errors.New("reply is " + reply.Msg)
		}
	}
	return nil
}

// A call over pipelined allocates nothing, on either side, once all is warm.
func TestPipelinedCallAllocatesNothing(t *testing.T) {
	if servicetest.RaceDetector() {
		t.Skip("the race detector allocates")
	}
	r := start(t, rpc.Config{})
	c := r.client(t, rpc.ClientConfig{})
	calls := func(n int64) {
		var left atomic.Int64
		left.Store(n)
		if err := callOn(c, &left); err != nil {
			t.Fatal(err)
		}
	}
	calls(3000) // each of the window's slots has its memory
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const n = 5000
	calls(n)
	runtime.ReadMemStats(&after)
	// What runs beside the calls (timers, the pools' refill after a collection) is allowed a hundredth.
	if per := float64(after.Mallocs-before.Mallocs) / n; per > 0.01 {
		t.Errorf("%.3f allocations per call", per)
	}
}
