// Command grpc measures what a unary call of gRPC costs a load generator: user and system CPU time of its whole process,
// start and end included, over the calls that it says were answered right. hone, ghz and hone's own HTTP/2 call grpc-go's
// helloworld, and take turns in slices of about a second, in random order within each round. All have one CPU; the server
// has another. hone's HTTP/2 sends the same bytes as requests of HTTP, so that their ratio is the price of messages and
// of their judgement.
//
//	bash bench/peers.sh ghz && go build -o bin/hone ./cmd/hone
//	cd bench && go run ./grpc
//
// It needs Linux and two CPUs.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
	"github.com/gohone/hone/internal/machine"
)

type config struct {
	hone                 string
	serverCPU, clientCPU int
	rounds, connections  int
	streams              []int
	slice                time.Duration
}

func main() { side.Main("grpc", parse, run) }

func parse(args []string) (config, error) {
	var c config
	fs := side.NewFlags("grpc")
	fs.Hone(&c.hone)
	fs.CPUs(&c.serverCPU, &c.clientCPU)
	fs.IntVar(&c.rounds, "n", 10, "rounds for each number of streams")
	fs.IntVar(&c.connections, "c", 1, "connections, which share the streams; 1 is what ghz does by itself")
	fs.Ints(&c.streams, "streams", "16,100,1000", 1, "calls at a time")
	fs.DurationVar(&c.slice, "d", time.Second, "length of a slice")
	fs.Read(args)
	fs.Want(c.rounds > 0 && c.slice >= time.Millisecond, "want at least 1 round and slices of 1ms")
	fs.Want(c.connections > 0, "want at least 1 connection")
	for _, n := range c.streams {
		fs.Want(c.connections > 0 && n%c.connections == 0, "%d streams cannot be shared equally by %d connections", n, c.connections)
	}
	return c, fs.Faults()
}

//go:embed helloworld.proto
var types []byte

func run(ctx context.Context, c config) error {
	dir, err := os.MkdirTemp("", "hone-bench-")
	if err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	proto := filepath.Join(dir, "helloworld.proto")
	if err := os.WriteFile(proto, types, 0o600); err != nil {
		return fmt.Errorf("write the types: %w", err)
	}
	program := filepath.Join(dir, "greeter")
	if err := proc.BuildGo(ctx, "peers", program, "./rpc/grpc"); err != nil {
		return err
	}
	tools, missing := side.FindAmong(callers(proto), c.hone, nil)
	if len(tools) == 0 || tools[0].Name != nameGRPC {
		return fmt.Errorf("no hone at %s: go build -o %s ../cmd/hone", c.hone, c.hone)
	}
	side.Header(os.Stdout, tools, missing)
	fmt.Printf("plan      %d rounds of %v, %d connections, grpc-go's helloworld on CPU %d, tools on CPU %d\n",
		c.rounds, c.slice, c.connections, c.serverCPU, c.clientCPU)
	for _, n := range c.streams {
		if err := compare(ctx, c, program, tools, n); err != nil {
			return fmt.Errorf("%d streams: %w", n, err)
		}
	}
	return nil
}

// compare measures all tools with one number of streams, against one server.
func compare(ctx context.Context, c config, program string, tools []side.Found, streams int) error {
	server, err := proc.Serve(ctx, c.serverCPU, proc.Command{Program: program, Args: []string{"-mode", "server"}})
	if err != nil {
		return err
	}
	defer server.Stop()
	job := side.Job{URL: server.Addr, Connections: c.connections, Streams: streams, Duration: c.slice}
	gauge := machine.OpenGauge()
	defer gauge.Close()
	before := gauge.Read()
	samples, err := figures.Sampled(c.rounds, len(tools), func(_, i int) (sample, error) {
		s, err := measure(ctx, c.clientCPU, tools[i], job)
		if err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", tools[i].Name, err), server.Fault())
		}
		return s, err
	})
	if err != nil {
		return err
	}
	fmt.Printf("\n%d streams on %d connections (%s)\n", streams, c.connections, gauge.Read().Since(before))
	return show(tools, samples)
}
