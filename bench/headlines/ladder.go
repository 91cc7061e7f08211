package main

import (
	"context"
	"fmt"
	"time"
)

// ladder compares the stages of a service under load.
type ladder struct {
	// Program is the service's package, Target its URL, with {port} for the port.
	Program, Target string
}

// rung is what a comparison of two stages says.
type rung struct {
	rate, cpu verdict
	// busy is the share of its CPU that the generator used for the second stage.
	busy float64
}

func (l ladder) stage(name string) string { return l.Program + " -stage " + name }

// step compares stage b with stage a; load are flags of hone compare.
func (l ladder) step(ctx context.Context, r *rig, budget time.Duration, a, b string, load ...string) (rung, error) {
	args := append([]string{l.stage(a), l.stage(b), "--target", l.Target}, load...)
	c, err := r.compare(ctx, budget, append(args, "--", "-addr", "127.0.0.1:{port}")...)
	if err != nil {
		return rung{}, err
	}
	g, err := rungOf(c)
	if err != nil {
		return g, fmt.Errorf("compare %s with %s: %w", b, a, err)
	}
	return g, nil
}

func rungOf(c comparison) (g rung, err error) {
	verdicts, err := c.verdicts(1)
	if err != nil {
		return g, err
	}
	if g.rate, err = find(verdicts, "rate"); err != nil {
		return g, err
	}
	if g.cpu, err = find(verdicts, "cpu"); err != nil {
		return g, err
	}
	if len(c.Runs) == 2 {
		g.busy = c.Runs[1].GeneratorBusy
	}
	return g, nil
}

// busyNote says when the throughput may be the generator's and not the service's.
func (g rung) busyNote() string {
	const much = 0.9
	if g.busy < much {
		return ""
	}
	return fmt.Sprintf("the generator was busy for %s of its time, so that the CPU time says more", percent(g.busy))
}
