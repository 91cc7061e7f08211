// Package tail holds hone tail against services whose causes are known. Each service has one planted cause of its slow requests
// or of its typical ones, two, or none. It stamps the time around the planted statement and around the whole handler of every
// request during the trace, and writes the mean of both for the typical requests (45th to 55th percentile) and for the slow ones
// (from the 99th on). Each is loaded by hone run in an open loop, at a low rate and at 60 % of what it reaches in a closed loop.
// Then hone tail is judged:
//
//   - The first cause is right if it has the state, the function and the line of the planted statement. The collector needs no
//     line. Where two causes are planted, both have to be the first two. In errgroup and singleflight, which wait for goroutines
//     that wait for a backend, the wait may be called a channel, a lock or the network.
//   - A share is the planted statement's share of the time between a typical and a slow request, by hone and by the stamps.
//   - A measurement is disturbed if the handlers of the slow requests saw less than three quarters of the time that the client
//     saw. It is taken again, up to twice, whatever hone says.
//   - A control fails if a lock, a channel, the network or a sleep has 10 % or more of the difference.
package tail

import (
	"context"
	"time"

	"github.com/gohone/hone/bench/bed"
)

// Case is the benchmark.
var Case = bed.Case{Name: "tail", Shows: "does hone tail name the cause that was planted, its line and its share", Takes: "15 minutes; goes on where it was", Run: run}

type config struct {
	*bed.Bed
	trials       []*trial
	duration     time.Duration // of the timed load of a run
	again, print bool
}

func run(ctx context.Context, b *bed.Bed) (err error) {
	c := config{Bed: b}
	var only []string
	b.Keeps("../bin/tail.jsonl")
	b.Words(&only, "only", "", "services or trials to measure, such as mutex,plain-tcp; all if empty")
	b.DurationVar(&c.duration, "duration", 3*time.Second, "timed load of each run")
	b.BoolVar(&c.again, "again", false, "measure also what these results have, and take the later result")
	b.BoolVar(&c.print, "print", false, "print the causes of each measurement")
	b.Read()
	b.Want(c.duration >= time.Second, "want -duration of 1s or more")
	c.trials, err = chosen(only)
	b.Want(err == nil, "%w", err)
	if err := b.Start(ctx); err != nil {
		return err
	}
	if !b.Report {
		if err := c.measure(ctx); err != nil {
			return err
		}
	}
	return bed.Publish(b, resultsSchema, write)
}
