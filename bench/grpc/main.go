// Command grpc measures what a unary call of gRPC costs a load generator (package cost). hone, ghz and hone's own HTTP/2
// call grpc-go's helloworld. hone's HTTP/2 sends the same bytes as requests of HTTP, so that their ratio is the price of messages and
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
	"fmt"
	"os"
	"path/filepath"

	"github.com/gohone/hone/bench/cost"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
)

type config struct {
	hone        string
	connections int
	streams     []int
	plan        cost.Plan
}

func main() { side.Main("grpc", parse, run) }

func parse(args []string) (config, error) {
	c := config{plan: cost.Plan{Unit: "call", Limits: map[string]float64{nameGhz: 0.35, nameHTTP2: 1.3}}}
	fs := side.NewFlags("grpc")
	fs.Hone(&c.hone)
	c.plan.Flags(fs, 10)
	fs.IntVar(&c.connections, "c", 1, "connections, which share the streams; 1 is what ghz does by itself")
	fs.Ints(&c.streams, "streams", "16,100,1000", 1, "calls at a time")
	fs.Read(args)
	c.plan.Check(fs)
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
	if err := c.plan.Header(os.Stdout, tools, missing, fmt.Sprintf("%d connections, grpc-go's helloworld", c.connections)); err != nil {
		return err
	}
	server := proc.Command{Program: program, Args: []string{"-mode", "server"}}
	for _, n := range c.streams {
		job := side.Job{Connections: c.connections, Streams: n}
		if err := c.plan.Compare(ctx, os.Stdout, server, tools, job, fmt.Sprintf("%d streams on %d connections", n, c.connections)); err != nil {
			return err
		}
	}
	return nil
}
