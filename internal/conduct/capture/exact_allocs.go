package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/prof"
)

const (
	// ExactWindows is how many times all allocations are counted: their scatter shows what
	// the program allocates now and then.
	ExactWindows = 3
	// ExactSlice is the load of one window. Each allocation costs a walk of its stack
	// meanwhile, so nothing else is measured.
	ExactSlice = 100 * time.Millisecond
)

// ExactAllocs counts every allocation of a comparison's program for a moment, where the heap
// profiler else sees one in 512 kB. A process learns of the rate at the next allocation that
// it would have sampled, so the first window is not counted.
func (c *Program) ExactAllocs(ctx context.Context) (err error) {
	if !c.Timed.Compared {
		return nil
	}
	before, err := c.Probes.SetHeapRate(ctx, func(int) int { return 1 })
	if err != nil {
		return err
	}
	defer func() {
		_, restore := c.Probes.SetHeapRate(ctx, func(pid int) int {
			if rate, known := before[pid]; known {
				return rate
			}
			return -1 // a process that came since
		})
		err = errors.Join(err, restore)
	}()
	var earlier prof.ByProcess
	for window := range ExactWindows + 1 {
		s, err := c.Load.Slice(ctx, c.unsteady(ExactSlice), c.Load.Drain())
		if err != nil {
			return err
		}
		now, err := c.Probes.Profiles(ctx, func(ctx context.Context, p *probeclient.Probe) ([]byte,
			error) {
			return p.CollectedAllocs(ctx)
		})
		if err != nil {
			return fmt.Errorf("count allocations: %w", err)
		}
		if window > 0 && s.Answered > 0 {
			if err := c.keepExact(prof.Capture{Kind: "allocs", Operations: s.Answered, Duration: s.Duration,
				Start: len(c.Timed.Starts)}, earlier, now); err != nil {
				return err
			}
		}
		earlier = now
	}
	return nil
}

func (c *Program) keepExact(piece prof.Capture, before, after prof.ByProcess) error {
	counted, err := after.Since(before)
	if err != nil {
		return fmt.Errorf("subtract allocations: %w", err)
	}
	if piece.Profile, err = counted.Join(); err != nil {
		return fmt.Errorf("add up allocations: %w", err)
	}
	c.Into.Allocs = append(c.Into.Allocs, piece)
	var b bytes.Buffer
	if err := piece.Write(&b); err != nil {
		return err
	}
	_, err = c.Draft.AddArtefact(record.ExactAllocsArtefact,
		fmt.Sprintf("exact-allocs.%d.pb.gz", len(c.Into.Allocs)), &b)
	return err
}
