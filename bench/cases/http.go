package cases

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/side"
)

// HTTP is what an HTTP request costs load generators. With -servers https,http2 -tools hone,wrk,h2load it is over TLS.
var HTTP = bed.Case{
	Name: "http", Shows: "CPU time per HTTP request of hone load, wrk, vegeta, hey, bombardier, fortio, oha, k6",
	Takes: "7 minutes",
	Needs: "gcc for the bare server, bash peers.sh", About: bed.AboutLoad, Run: measureHTTP,
}

func measureHTTP(ctx context.Context, b *bed.Bed) error {
	// These need many times hone's CPU time: a few rounds show that.
	c := &costs{Bed: b, unit: "request", slow: []string{"hey", "k6"}}
	var connections []int
	var servers, tools []string
	b.CPUs()
	b.Turns(10, time.Second)
	b.IntVar(&c.few, "slow", 3, "rounds that "+strings.Join(c.slow, " and ")+" take part in")
	b.Ints(&connections, "c", "16,100,1000", 1, "connections")
	b.Words(&servers, "servers", side.Bare+","+side.NetHTTP, "servers")
	b.Words(&tools, "tools", "", "tools to take part (default all that are installed)")
	b.Read()
	chosen := slices.DeleteFunc(slices.Clone(side.All), func(t *side.Tool) bool {
		return t.Name == "oha corrected" || len(tools) > 0 && !slices.Contains(tools, t.Name) ||
			len(tools) == 0 && !t.Loads(side.NetHTTP)
	}) // that is the same work in a closed loop
	if err := c.start(ctx, chosen); err != nil {
		return err
	}
	for _, kind := range servers {
		for _, n := range connections {
			if err := c.with(ctx, kind, n); err != nil {
				return fmt.Errorf("%s server, %d connections: %w", kind, n, err)
			}
		}
	}
	return nil
}

// with measures all tools that load this kind of server.
func (c *costs) with(ctx context.Context, kind string, connections int) error {
	server, err := side.StartServer(ctx, kind, c.ServerCPU)
	if err != nil {
		return err
	}
	defer server.Close()
	found := slices.DeleteFunc(slices.Clone(c.tools), func(t side.Found) bool { return !t.Loads(kind) })
	job := side.Job{URL: server.URL, Connections: connections, HTTP2: kind == side.HTTP2}
	return c.compare(ctx, found, job, fmt.Sprintf("%s server, %d connections", kind, connections))
}
