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
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/bench/side"
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
	fs := flag.NewFlagSet("httpclient", flag.ContinueOnError)
	fs.StringVar(&c.hone, "hone", "../bin/hone", "hone's binary")
	fs.IntVar(&c.serverCPU, "server-cpu", 0, "CPU of the server")
	fs.IntVar(&c.clientCPU, "client-cpu", 1, "CPU of the tools")
	fs.IntVar(&c.rounds, "n", 10, "rounds for each number of connections")
	fs.IntVar(&c.slowRounds, "slow", 3, "rounds that "+strings.Join(slow, " and ")+" take part in")
	fs.DurationVar(&c.slice, "d", time.Second, "length of a slice; wrk rounds up to seconds")
	connections := fs.String("c", "16,100,1000", "connections")
	servers := fs.String("servers", side.Bare+","+side.NetHTTP, "servers")
	tools := fs.String("tools", "", "tools to take part (default all that are installed)")
	if err := fs.Parse(args); err != nil {
		return c, err
	}
	for _, s := range strings.Split(*connections, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return c, fmt.Errorf("connections %q is not a number from 1", s)
		}
		c.connections = append(c.connections, n)
	}
	if c.rounds < 1 || c.slice < time.Millisecond {
		return c, errors.New("want at least 1 round and slices of 1ms")
	}
	c.servers = strings.Split(*servers, ",")
	if *tools != "" {
		c.tools = strings.Split(*tools, ",")
	}
	return c, nil
}

// slow tools need many times hone's CPU time: a few rounds show that.
var slow = []string{"hey", "k6"}

func run(ctx context.Context, c config) error {
	found, missing := side.Find(c.hone)
	found = slices.DeleteFunc(found, func(t side.Found) bool {
		return t.Name == "oha corrected" || // the same work in a closed loop
			len(c.tools) > 0 && !slices.Contains(c.tools, t.Name)
	})
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
	server, err := side.StartServer(ctx, kind, c.serverCPU)
	if err != nil {
		return err
	}
	defer server.Close()
	dir, err := os.MkdirTemp("", "httpclient-")
	if err != nil {
		return fmt.Errorf("make directory: %w", err)
	}
	defer os.RemoveAll(dir)
	job := side.Job{URL: server.URL, Connections: connections, Duration: c.slice, Dir: dir}
	before := side.ReadCPUTimes()
	out := newTable(found)
	for round := range c.rounds {
		for _, i := range rand.Perm(len(found)) {
			if round >= c.slowRounds && slices.Contains(slow, found[i].Name) {
				continue
			}
			if err := out.measure(ctx, c.clientCPU, i, round, job); err != nil {
				return err
			}
		}
	}
	fmt.Printf("\n%s server, %d connections (%s)\n", kind, connections, side.ReadCPUTimes().Since(before))
	out.print()
	return nil
}
