package main

import (
	"context"
	"fmt"
	"net"
	"syscall"
	"time"

	"github.com/gohone/hone/internal/protocol"
	"github.com/gohone/hone/load"
)

// honeClient is hone's load engine in this process.
type honeClient struct{ session *load.Session }

func openHone(ctx context.Context, c config, port, depth int) (*honeClient, error) {
	target, err := protocol.Parse(fmt.Sprintf("framed://127.0.0.1:%d", port), protocol.Options{})
	if err != nil {
		return nil, err
	}
	plan := load.Plan{
		Connections: c.connections, Depth: depth, CPUs: []int{c.clientCPU}, Timeout: 2 * time.Second,
	}
	s, err := load.Open(ctx, plan, target, func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, target.Network, target.Address)
	})
	if err != nil {
		return nil, err
	}
	return &honeClient{s}, nil
}

func (h *honeClient) slice(ctx context.Context, d time.Duration) (sample, error) {
	before := processCPU()
	s, err := h.session.Slice(ctx, d, time.Second)
	cpu := processCPU() - before
	if err != nil {
		return sample{}, err
	}
	if s.Failed+s.Unanswered > 0 || s.Answered == 0 {
		return sample{}, fmt.Errorf("hone: %d answered, %d wrong, %d unanswered", s.Answered, s.Failed, s.Unanswered)
	}
	return sample{answers: float64(s.Answered), cpu: cpu, wall: s.Duration}, nil
}

func (h *honeClient) close() error {
	_, err := h.session.Close()
	return err
}

// processCPU is the CPU time of all threads of this process: the runtime's share
// counts as the engine's.
func processCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // cannot happen: the arguments are constants
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
