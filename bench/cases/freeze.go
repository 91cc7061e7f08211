package cases

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/side"
)

// Freeze asks every load generator what it saw of a server that stood still, and has that beside the truth, which the
// schedule gives: at a steady rate, a request that is due while the server is stopped waits until the server goes on.
// The server is stopped by a signal, in the middle of the run, and from before its end until after it. The fewer
// connections, the more requests a tool can leave out that sends only when a connection is free and counts from there.
var Freeze = bed.Case{
	Name: "freeze", Shows: "what each load generator says of a server that stood still, beside the truth",
	Takes: "4 minutes",
	Needs: "bash peers.sh", About: bed.AboutLoad, Run: measureFreeze,
}

// freezing is how the tools are asked.
type freezing struct {
	*bed.Bed
	connections, rateHz int
}

func measureFreeze(ctx context.Context, b *bed.Bed) error {
	c := freezing{Bed: b}
	var tools []string
	b.CPUs()
	b.Turns(1, 10*time.Second)
	b.IntVar(&c.connections, "c", 10,
		"connections; the more there are, the more a tool sees that leaves out what was due")
	b.IntVar(&c.rateHz, "rate", 1000, "requests per second")
	stop := b.Duration("stop", time.Second, "how long the server stands still in the middle")
	b.Words(&tools, "tools", "", "tools to take part (default all that are installed)")
	b.Read()
	b.Want(c.connections > 0 && c.rateHz > 0 && *stop > 0 && b.Slice >= 4**stop,
		"want at least 1 connection and request per second, and a run of 4 stops")
	if err := b.Start(ctx); err != nil {
		return err
	}
	found, missing := side.Find(b.Hone.Program, tools)
	if len(found) == 0 {
		return errors.New("none of the tools is installed: bash bench/peers.sh")
	}
	side.Note(b.Result, found, missing)
	for _, f := range []freeze{{"in the middle", b.Slice * 4 / 10, *stop},
		{"over the end", b.Slice - 2**stop, 3 * *stop}} {
		if err := c.compare(ctx, found, f); err != nil {
			return err
		}
	}
	return nil
}

// compare lets each tool run against one case.
func (c freezing) compare(ctx context.Context, found []side.Found, f freeze) error {
	truth := f.truth(c.rateHz, c.Slice)
	t := c.Table(fmt.Sprintf("Server stopped %s: at %v for %v", f.name, f.at, f.stop),
		"tool", "p50 ms", "p99 ms", "max ms", "p99 / truth", "answered", "failed", "given up", "took s")
	t.Row("the truth", fmt.Sprintf("%.1f", millis(truth.P50)), fmt.Sprintf("%.1f", millis(truth.P99)),
		fmt.Sprintf("%.1f", millis(truth.Max)))
	for _, tool := range found {
		var rows []observation
		var failed error
		for len(rows) < c.Rounds && failed == nil {
			var o observation
			if o, failed = c.observe(ctx, tool, f); failed == nil {
				rows = append(rows, o)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if failed != nil {
			t.Say("%s gave no figures: %v", tool.Name, failed)
			continue
		}
		t.Row(line(tool, rows)...)
		if tool.Name == side.Hone {
			c.Claim("p99 that `hone load` reports of a server frozen "+f.name+", over the truth", "%.2f",
				figures.Median(figures.Column(rows, observation.off)))
		}
	}
	return nil
}

// off is the p99 that the tool said over the true one.
func (o observation) off() float64 { return float64(o.said.P99) / float64(o.truth.P99) }

// line is a tool's row of the table: medians over its runs.
func line(t side.Found, rows []observation) []string {
	median := func(format string, of func(observation) float64) string {
		return fmt.Sprintf(format, figures.Median(figures.Column(rows, of)))
	}
	ratio := "closed loop" // it keeps to no schedule: the truth is not about it
	if t.Open {
		ratio = median("%.3f", observation.off)
	}
	return []string{t.Name, median("%.1f", func(o observation) float64 { return millis(o.said.P50) }),
		figures.Spread("%.1f", figures.Column(rows, func(o observation) float64 { return millis(o.said.P99) })),
		median("%.1f", func(o observation) float64 { return millis(o.said.Max) }), ratio,
		median("%.0f", func(o observation) float64 { return float64(o.said.Answered) }),
		median("%.0f", func(o observation) float64 { return float64(o.said.Failed) }),
		median("%.0f", func(o observation) float64 { return float64(o.said.GivenUp) }),
		median("%.1f", func(o observation) float64 { return o.took.Seconds() })}
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// truth is the response time of a schedule of evenly spaced requests: none for those that are due while the server
// runs, and for the others the time until it goes on. The time of serving comes on top, and that of working off what
// has piled up: both are some milliseconds.
func (f freeze) truth(rateHz int, length time.Duration) side.Report {
	n := int(length.Seconds() * float64(rateHz))
	all := make([]time.Duration, n)
	for i := range all {
		due := time.Duration(i) * time.Second / time.Duration(rateHz)
		if due >= f.at && due < f.at+f.stop {
			all[i] = f.at + f.stop - due
		}
	}
	slices.Sort(all)
	at := func(q int) time.Duration { return all[(n*q+99)/100-1] } // nearest rank
	return side.Report{Answered: uint64(n), P50: at(50), P99: at(99), Max: all[n-1]}
}
