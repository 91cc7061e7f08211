// Command freeze asks every load generator what it saw of a server that stood still,
// and prints that beside the truth, which the schedule gives: at a steady rate, a
// request that is due while the server is stopped waits until the server goes on.
//
//	bash bench/peers.sh && go build -o bin/hone ./cmd/hone
//	cd bench && go run ./freeze
//
// Two cases: the server stopped in the middle of the run, and from before its end
// until after it. With the defaults (1,000 requests/s for 10 s, stopped for 1 s) the
// true p99 is about 0.9 s and 2.9 s.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gohone/hone/bench/side"
)

type config struct {
	hone                 string
	serverCPU, clientCPU int
	connections, rateHz  int
	rounds               int
	length, stop         time.Duration
	tools                []string
}

func main() { side.Main("freeze", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("freeze")
	fs.Hone(&c.hone)
	fs.CPUs(&c.serverCPU, &c.clientCPU)
	fs.IntVar(&c.connections, "c", 10, "connections; the more there are, the more a tool sees that leaves out what was due")
	fs.IntVar(&c.rateHz, "rate", 1000, "requests per second")
	fs.IntVar(&c.rounds, "n", 1, "runs of each tool and case")
	fs.DurationVar(&c.length, "d", 10*time.Second, "length of a run")
	fs.DurationVar(&c.stop, "stop", time.Second, "how long the server stands still in the middle")
	fs.Words(&c.tools, "tools", "", "tools to take part (default all that are installed)")
	fs.Read(args)
	fs.Want(c.connections > 0 && c.rateHz > 0 && c.rounds > 0 && c.stop > 0 && c.length >= 4*c.stop,
		"want at least 1 connection, request per second and run, and a run of 4 stops")
	return c, fs.Faults()
}

func run(ctx context.Context, c config) error {
	found, missing := side.Find(c.hone, c.tools)
	if len(found) == 0 {
		return errors.New("none of the tools is installed: bash bench/peers.sh")
	}
	side.Header(os.Stdout, found, missing)
	fmt.Printf("plan      %d requests/s over %d connections for %v, %d runs, net/http server on CPU %d, tools on CPU %d\n",
		c.rateHz, c.connections, c.length, c.rounds, c.serverCPU, c.clientCPU)
	for _, f := range []freeze{
		{"in the middle", c.length * 4 / 10, c.stop},
		{"over the end", c.length - 2*c.stop, 3 * c.stop},
	} {
		if err := compare(ctx, c, found, f); err != nil {
			return err
		}
	}
	return nil
}

// compare lets each tool run against one case and prints the table.
func compare(ctx context.Context, c config, found []side.Found, f freeze) error {
	truth := f.truth(c.rateHz, c.length)
	fmt.Printf("\nserver stopped %s: at %v for %v\n", f.name, f.at, f.stop)
	fmt.Printf("%-14s %10s  %28s  %10s  %12s  %9s  %7s  %8s  %7s\n",
		"tool", "p50 ms", "p99 ms (min .. max)", "max ms", "p99 / truth", "answered", "failed", "given up", "took s")
	fmt.Printf("%-14s %10.1f  %28.1f  %10.1f\n", "the truth", millis(truth.P50), millis(truth.P99), millis(truth.Max))
	for _, t := range found {
		rows := make([]observation, 0, c.rounds)
		var failed error
		for range c.rounds {
			o, err := observe(ctx, c, t, f)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				failed = err
				break
			}
			rows = append(rows, o)
		}
		if failed != nil {
			fmt.Printf("%-14s no figures: %v\n", t.Name, failed)
			continue
		}
		fmt.Println(line(t, rows))
	}
	return nil
}
