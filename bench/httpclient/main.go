// Command httpclient measures what an HTTP request costs a load generator: user and
// system CPU time of its whole process, start and end included, over the requests that
// it says were served. The tools take turns in slices of about a second, in random order
// within each round, so that what disturbs the machine disturbs all. Every tool has one
// CPU and one thread where it can be told; the server has another CPU.
//
//	bash bench/peers.sh && go build -o bin/hone ./cmd/hone
//	cd bench && go run ./httpclient
//
// It needs Linux, two CPUs and, for the bare server, gcc.
package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/internal/machine"
)

type config struct {
	hone                 string
	serverCPU, clientCPU int
	rounds, slowRounds   int
	slice                time.Duration
	connections          []int
	servers, tools       []string
}

func main() { side.Main("httpclient", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("httpclient")
	fs.Hone(&c.hone)
	fs.CPUs(&c.serverCPU, &c.clientCPU)
	fs.IntVar(&c.rounds, "n", 10, "rounds for each number of connections")
	fs.IntVar(&c.slowRounds, "slow", 3, "rounds that "+strings.Join(slow, " and ")+" take part in")
	fs.DurationVar(&c.slice, "d", time.Second, "length of a slice; wrk rounds up to seconds")
	fs.Ints(&c.connections, "c", "16,100,1000", 1, "connections")
	fs.Words(&c.servers, "servers", side.Bare+","+side.NetHTTP, "servers")
	fs.Words(&c.tools, "tools", "", "tools to take part (default all that are installed)")
	fs.Read(args)
	fs.Want(c.rounds > 0 && c.slice >= time.Millisecond, "want at least 1 round and slices of 1ms")
	return c, fs.Faults()
}

// slow tools need many times hone's CPU time: a few rounds show that.
var slow = []string{"hey", "k6"}

func run(ctx context.Context, c config) error {
	found, missing := side.Find(c.hone, c.tools)
	found = slices.DeleteFunc(found, func(t side.Found) bool { return t.Name == "oha corrected" }) // the same work in a closed loop
	if len(found) == 0 || found[0].Name != side.Hone {
		return fmt.Errorf("no hone at %s: go build -o %s ../cmd/hone", c.hone, c.hone)
	}
	side.Header(os.Stdout, found, missing)
	fmt.Printf("plan      %d rounds of %v, server on CPU %d, tools on CPU %d; %s: %d rounds\n",
		c.rounds, c.slice, c.serverCPU, c.clientCPU, strings.Join(slow, ", "), c.slowRounds)
	for _, kind := range c.servers {
		for _, n := range c.connections {
			if err := compare(ctx, c, found, kind, n); err != nil {
				return fmt.Errorf("%s server, %d connections: %w", kind, n, err)
			}
		}
	}
	return nil
}

// compare measures all tools with one server and one number of connections.
func compare(ctx context.Context, c config, found []side.Found, kind string, connections int) error {
	found = slices.DeleteFunc(slices.Clone(found), func(t side.Found) bool { return !t.Loads(kind) })
	server, err := side.StartServer(ctx, kind, c.serverCPU)
	if err != nil {
		return err
	}
	defer server.Close()
	job := side.Job{URL: server.URL, Connections: connections, Duration: c.slice, HTTP2: kind == side.HTTP2}
	gauge := machine.OpenGauge()
	defer gauge.Close()
	before := gauge.Read()
	out := newTable(found)
	err = figures.InTurns(c.rounds, len(found), func(round, i int) error {
		if round >= c.slowRounds && slices.Contains(slow, found[i].Name) {
			return nil
		}
		return out.measure(ctx, c.clientCPU, i, round, job)
	})
	if err != nil {
		return err
	}
	fmt.Printf("\n%s server, %d connections (%s)\n", kind, connections, gauge.Read().Since(before))
	out.print()
	return nil
}
