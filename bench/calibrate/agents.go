package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/gohone/hone/bench/proc"
)

// agentCPU is where agents run: on the CPU that hone gives to its own load (subject.SplitCPUs of two).
const agentCPU = 0

// startAgents starts so many agents on this machine, and returns the flags by which hone has them load. stop ends them.
func startAgents(ctx context.Context, hone string, n int) (flags []string, stop func(), err error) {
	dir, err := os.MkdirTemp("", "hone-calibrate-")
	if err != nil {
		return nil, nil, fmt.Errorf("make a place for the keys of agents: %w", err)
	}
	var running []*proc.Child
	stop = func() {
		for _, p := range running {
			p.Stop()
		}
		os.RemoveAll(dir)
	}
	err = errors.Join(os.Setenv("XDG_CONFIG_HOME", dir), os.Setenv("XDG_CACHE_HOME", dir)) // hone's, too: they share the keys
	address, free := proc.FreeAddress()
	if err = errors.Join(err, free); err != nil {
		stop()
		return nil, nil, err
	}
	for i := range n {
		p, err := proc.Start(ctx, agentCPU, proc.Command{
			Program: hone, Args: []string{"agent", "--nats", "nats://" + address, "--name", fmt.Sprint("agent", i+1), "--capacity", "1000"},
		})
		if err != nil {
			stop()
			return nil, nil, fmt.Errorf("start agent %d: %w", i+1, err)
		}
		running = append(running, p)
	}
	return []string{"--agents", fmt.Sprintf("n=%d", n), "--broker", address}, stop, nil
}
