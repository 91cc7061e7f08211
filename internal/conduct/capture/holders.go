package capture

import (
	"context"
	"fmt"
	"io"

	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/holders"
)

// WhoHolds finds out who holds the memory of the main process, after all load. A failure is a warning, also where the
// program dies of it: the measurement is over.
func (c *Program) WhoHolds(ctx context.Context) {
	if u, err := c.Process.Usage(); err == nil && u.Processes > 1 {
		c.Warn("who holds the memory is known of the main process only, one of %d", u.Processes)
	}
	var r *holders.Report
	paused, err := c.Probes.DumpHeap(ctx, func(dump io.ReaderAt, size int64) (err error) {
		if r, err = holders.ReadOf(ctx, dump, size, c.Binary.Path); err != nil {
			return fmt.Errorf("%w (it is cut off where TMPDIR has no room for it)", err)
		}
		return nil
	})
	if err == nil {
		c.Into.Holders = &record.Holders{Paused: paused, Report: r.Document()}
		err = c.keep(prof.Capture{Kind: prof.HoldersKind, Operations: 1}, prof.ByProcess{c.Process.PID(): r.Profile()})
	}
	if err != nil && ctx.Err() == nil {
		c.Warn("it is not known who holds the memory: %v", c.Or(err))
	}
}
