package lab

import (
	"context"
	"fmt"
	"io"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/holders"
)

// whoHolds finds out who holds the memory of the main process, after all load. A failure is a warning, also where the
// program dies of it: the measurement is over.
func (c *capturing) whoHolds(ctx context.Context) {
	if u, err := c.process.Usage(); err == nil && u.Processes > 1 {
		c.Warn("who holds the memory is known of the main process only, one of %d", u.Processes)
	}
	var r *holders.Report
	paused, err := c.probes.DumpHeap(ctx, func(dump io.ReaderAt, size int64) (err error) {
		if r, err = holders.ReadOf(ctx, dump, size, c.Binary.Path); err != nil {
			return fmt.Errorf("%w (it is cut off where TMPDIR has no room for it)", err)
		}
		return nil
	})
	if err == nil {
		c.holding = &record.Holders{Paused: paused, Report: r.Document()}
		err = c.keep(prof.Capture{Kind: prof.HoldersKind, Operations: 1}, prof.ByProcess{c.process.PID(): r.Profile()})
	}
	if err != nil && ctx.Err() == nil {
		c.Warn("it is not known who holds the memory: %v", c.or(err))
	}
}
