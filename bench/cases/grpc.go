package cases

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
)

// GRPC is what a unary call costs load generators. hone's HTTP/2 sends the same bytes as requests of HTTP, so that
// their ratio is the price of messages and of their judgement.
var GRPC = bed.Case{
	Name: "grpc", Shows: "CPU time per unary call of gRPC of hone load, ghz and hone's own HTTP/2", Takes: "3 minutes",
	Needs: "bash peers.sh ghz", About: bed.AboutLoad, Run: measureGRPC,
}

//go:embed helloworld.proto
var types []byte

func measureGRPC(ctx context.Context, b *bed.Bed) error {
	c := &costs{Bed: b, unit: "call", limits: map[string]float64{nameGhz: 0.35, nameHTTP2: 1.3}}
	var connections int
	var streams []int
	b.CPUs()
	b.Turns(10, time.Second)
	b.IntVar(&connections, "c", 1, "connections, which share the streams; 1 is what ghz does by itself")
	b.Ints(&streams, "streams", "16,100,1000", 1, "calls at a time")
	b.Read()
	for _, n := range streams {
		b.Want(connections > 0 && n%connections == 0, "%d streams cannot be shared equally by %d connections", n,
			connections)
	}
	proto := filepath.Join(b.Dir, "helloworld.proto")
	if err := c.start(ctx, callers(proto)); err != nil {
		return err
	}
	if err := os.WriteFile(proto, types, 0o600); err != nil {
		return fmt.Errorf("write the types: %w", err)
	}
	program := filepath.Join(b.Dir, "greeter")
	if err := proc.BuildGo(ctx, "peers", program, "./rpc/grpc"); err != nil {
		return err
	}
	server := proc.Command{Program: program, Args: []string{"-mode", "server"}}
	for _, n := range streams {
		job := side.Job{Connections: connections, Streams: n}
		if err := c.against(ctx, server, job, fmt.Sprintf("%d streams on %d connections", n, connections)); err != nil {
			return err
		}
	}
	return nil
}
