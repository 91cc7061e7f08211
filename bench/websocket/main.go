// Command websocket measures what an echo over WebSocket costs a load generator (package cost): hone, k6, and clients of the
// Go libraries in peers/websocket, against gorilla's server.
//
//	bash bench/peers.sh k6 && go build -o bin/hone ./cmd/hone
//	cd bench && go run ./websocket
//
// It needs Linux and two CPUs.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gohone/hone/bench/cost"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
)

type config struct {
	hone        string
	connections []int
	plan        cost.Plan
}

func main() { side.Main("websocket", parse, run) }

func parse(args []string) (config, error) {
	c := config{plan: cost.Plan{Unit: "echo", Limits: map[string]float64{}}}
	fs := side.NewFlags("websocket")
	fs.Hone(&c.hone)
	c.plan.Flags(fs, 8)
	fs.Ints(&c.connections, "c", "16,100,1000", 1, "connections, each with one message at a time")
	fs.Read(args)
	c.plan.Check(fs)
	for _, name := range append(libraries, nameK6) {
		c.plan.Limits[name] = 0.5
	}
	return c, fs.Faults()
}

func run(ctx context.Context, c config) error {
	dir, err := os.MkdirTemp("", "hone-bench-")
	if err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := proc.BuildGo(ctx, "peers", dir+"/", "./websocket/..."); err != nil {
		return err
	}
	tools, missing := side.FindAmong(fromPath, c.hone, nil)
	tools = append(tools, builtIn(dir)...)
	if err := c.plan.Header(os.Stdout, tools, missing, "gorilla's server"); err != nil {
		return err
	}
	server := proc.Command{Program: filepath.Join(dir, "gorilla"), Args: []string{"-mode", "server"}}
	for _, n := range c.connections {
		if err := c.plan.Compare(ctx, os.Stdout, server, tools, side.Job{Connections: n}, fmt.Sprintf("%d connections", n)); err != nil {
			return err
		}
	}
	return nil
}
