package lab

import (
	"context"
	"io"
	"time"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/holders"
)

// Holders is who held the memory at the end of a run.
type Holders struct {
	// Paused is how long the program stood still for its heap dump.
	Paused time.Duration `json:"paused_ns"`
	*holders.Report
}

// whoHolds finds out who holds the memory of the main process, after all load. A failure is a warning, also where the program
// dies of it: the measurement is over.
func (c *capturing) whoHolds(ctx context.Context) {
	if n := len(c.process.CPUByProcess()) - 1; n > 0 {
		c.warn("who holds the memory is known of the main process only: it has %d others", n)
	}
	var r *holders.Report
	paused, err := c.probes.DumpHeap(ctx, func(dump io.ReaderAt, size int64) (err error) {
		r, err = holders.ReadOf(dump, size, c.binary.Path)
		return err
	})
	if err == nil {
		c.holding = &Holders{Paused: paused, Report: r.Document()}
		err = c.keep(prof.Capture{Kind: prof.HoldersKind, Operations: 1}, prof.ByProcess{c.process.PID(): r.Profile()})
	}
	if err != nil && ctx.Err() == nil {
		c.warn("it is not known who holds the memory: %v", c.or(err))
	}
}
