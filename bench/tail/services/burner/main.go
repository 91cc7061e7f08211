// Command burner answers at once, but now and then it makes its index anew, which takes 25 ms of CPU
// time on each of -parts goroutines: requests wait until they get a processor.
package main

import (
	"context"
	"flag"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gohone/hone/bench/tail/serving"
)

type index struct {
	parts int
	table [1 << 12]uint32
	sum   atomic.Uint32
}

var parts = flag.Int("parts", 1, "goroutines that make the index")

func main() { serving.Main(start) }

func start(ctx context.Context) (serving.Handler, error) {
	x := &index{parts: *parts}
	go serving.Every(ctx, 300*time.Millisecond, x.rebuild)
	return x.search, nil
}

func (x *index) search(context.Context, *serving.Request) error {
	x.sum.Add(1)
	return nil
}

func (x *index) rebuild(context.Context) {
	var all sync.WaitGroup
	for range x.parts {
		all.Go(x.part)
	}
	all.Wait()
}

func (x *index) part() { // cause behind: before, runnable
	sum := uint32(1)
	for began := time.Now(); time.Since(began) < 25*time.Millisecond; {
		for i := range x.table {
			sum = (sum ^ x.table[i] ^ uint32(i)) * 16777619
		}
	}
	x.sum.Add(sum)
}
