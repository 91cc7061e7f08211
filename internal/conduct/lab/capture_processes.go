package lab

import (
	"context"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/prof"
)

// profile takes a profile of a kind of all processes; d is the length of a CPU profile, 0 for
// the rest.
func (c *capturing) profile(ctx context.Context, kind string, d time.Duration) (prof.ByProcess, error) {
	all, err := c.probes.Profiles(ctx, func(ctx context.Context, probe *probeclient.Probe) ([]byte, error) {
		switch kind {
		case "cpu":
			return probe.CPUProfile(ctx, d, c.task.ProfileRate)
		case "heap":
			return probe.LiveHeap(ctx)
		default:
			return probe.Profile(ctx, probeclient.ProfileKind(kind), 0)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("capture %s profile: %w", kind, err)
	}
	return all, nil
}

// busiest is the probe of the process that has used most CPU time: traces cannot be added
// up, so one stands for all.
func (c *capturing) busiest() *probeclient.Probe {
	most := usage.ProcessCPU{PID: c.process.PID()}
	for _, p := range c.process.CPUByProcess() {
		if p.CPU > most.CPU {
			most = p
		}
	}
	if most.PID != c.process.PID() {
		c.Warn("the execution trace is of one process, the one that used most CPU time: %s (PID %d)", most.Name,
			most.PID)
	}
	return c.probes.Of(most.PID)
}
