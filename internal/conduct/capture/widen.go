package capture

import (
	"context"
	"errors"
	"maps"
	"slices"
)

// leastProcs is GOMAXPROCS at least while locks are looked at.
const leastProcs = 2

// widen lets a program with fewer processors than the machine have all of them, and two at least, while locks are
// looked at: on one processor who holds a lock is hardly ever interrupted, so that no goroutine is seen to wait. procs
// is the GOMAXPROCS that the program has then, 0 if its probe does not know. narrow takes it back.
func (c *Program) widen(ctx context.Context) (procs int, narrow func() error, err error) {
	narrow = func() error { return nil }
	before, err := c.Probes.SetProcs(ctx, func(int) int { return 0 })
	if err != nil || len(before) == 0 {
		return 0, narrow, err
	}
	procs = slices.Min(slices.Collect(maps.Values(before)))
	most := max(leastProcs, len(c.EveryCPU))
	if procs == 0 || procs >= most {
		return procs, narrow, nil
	}
	back := func() {}
	if len(c.EveryCPU) > len(c.CPUs) {
		if back, err = c.Process.SpreadOver(c.EveryCPU); err != nil {
			c.Warn("waits for locks are looked at on the program's own CPUs: %v", err)
			return procs, narrow, nil
		}
	}
	narrow = func() error {
		back()
		_, err := c.Probes.SetProcs(ctx, func(pid int) int { return before[pid] })
		return err
	}
	if _, err := c.Probes.SetProcs(ctx, func(pid int) int { return max(most, before[pid]) }); err != nil {
		return 0, narrow, errors.Join(err, narrow())
	}
	return most, narrow, nil
}
