package cases

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/proc"
	"github.com/gohone/hone/bench/side"
)

// WebSocket is what an echo costs load generators.
var WebSocket = bed.Case{
	Name: "websocket", Shows: "CPU time per echo over WebSocket of hone load, k6 and clients of four Go libraries",
	Takes: "3 minutes",
	Needs: "bash peers.sh k6", About: bed.AboutLoad, Run: measureWebSocket,
}

func measureWebSocket(ctx context.Context, b *bed.Bed) error {
	c := &costs{Bed: b, unit: "echo", limits: map[string]float64{}}
	for _, name := range append(libraries, nameK6) {
		c.limits[name] = 0.5
	}
	var connections []int
	b.CPUs()
	b.Turns(8, time.Second)
	b.Ints(&connections, "c", "16,100,1000", 1, "connections, each with one message at a time")
	if err := c.start(ctx, fromPath, builtIn(b.Dir)...); err != nil {
		return err
	}
	if err := proc.BuildGo(ctx, "peers", b.Dir+"/", "./websocket/..."); err != nil {
		return err
	}
	server := proc.Command{Program: filepath.Join(b.Dir, "gorilla"), Args: []string{"-mode", "server"}}
	for _, n := range connections {
		if err := c.against(ctx, server, side.Job{Connections: n}, fmt.Sprintf("%d connections", n)); err != nil {
			return err
		}
	}
	return nil
}
