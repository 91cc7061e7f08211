package capture

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
func (c *Program) profile(ctx context.Context, kind string, d time.Duration) (prof.ByProcess, error) {
	all, err := c.Probes.Profiles(ctx, func(ctx context.Context, probe *probeclient.Probe) ([]byte, error) {
		switch kind {
		case "cpu":
			return probe.CPUProfile(ctx, d, c.Spec.ProfileRate)
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
func (c *Program) busiest() *probeclient.Probe { return c.Probes.Of(c.busiestPID()) }

// busiestPID is its number.
func (c *Program) busiestPID() int {
	most := usage.ProcessCPU{PID: c.Process.PID()}
	for _, p := range c.Process.CPUByProcess() {
		if p.CPU > most.CPU {
			most = p
		}
	}
	if most.PID != c.Process.PID() {
		c.Warn("the execution trace is of one process, the one that used most CPU time: %s (PID %d)", most.Name,
			most.PID)
	}
	return most.PID
}
