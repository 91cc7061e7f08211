package gobench

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/syncs"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// What is written is lost with the machine's power, unless the program waits for the disk (fsync). Bytes do not show it
// where each page is written once, so both sides run once more and their calls are counted.

const (
	// leastSyncs is how many operations share a call at most for it to count: fewer are those of a start.
	leastSyncs = 1.0 / 64
	// mostCounted is how many operations are counted: each system call stops the process.
	mostCounted = 2000
	// syncsTime is how long that may take without a budget, leastSyncsTime with however small a share of one.
	syncsTime, leastSyncsTime = 5 * time.Second, time.Second
)

// checkSyncs adds the caveat that B waits less often for a disk.
func (m *measurement) checkSyncs(ctx context.Context, b *bench, v judge.Verdict) error {
	m.task.Progress.Phase("count how often "+b.name+" waits for a disk", 0)
	most := max(leastSyncsTime, m.checkTime(syncsTime))
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	var per [2]float64
	for side := range per {
		n := min(mostCounted, b.plainOperations())
		flags := m.flags(execution{pattern: b.pattern(), procs: b.procs, length: strconv.Itoa(n) + "x",
			more: []string{"-test.run=^$"}})
		calls, err := syncs.Count(limited, b.pkg.binary(binaryOf{side: side}), flags...)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, syncs.ErrUnsupported) && side == 0:
			return nil // the bytes that disks store are all that is known there
		case err != nil:
			if limited.Err() != nil {
				err = fmt.Errorf("counting that takes more than %s", units.Seconds(most))
			}
			m.result.Notes = append(m.result.Notes, benchmarks.Note{Package: b.pkg.path,
				Text: fmt.Sprintf("it is not known how often %s waits for a disk: %v", b.name, err)})
			return nil
		}
		if per[side] = float64(calls) / float64(n); per[0] < leastSyncs {
			return nil
		}
	}
	b.caveats = append(b.caveats, durableCaveat(v, per, b.procs)...)
	return nil
}

// durableCaveat: B waits less often for a disk than A. Operations that run at once may share a call.
func durableCaveat(v judge.Verdict, per [2]float64, procs int) []record.Caveat {
	if per[0]-per[1] < max(leastSyncs, leastFall*per[0]) {
		return nil
	}
	return []record.Caveat{{Name: benchmarks.CaveatDurable, Open: per[1] < per[0]/float64(max(2, procs+1)),
		Text: fmt.Sprintf("time per operation %s, but B waits for the disk (fsync) %s times in each operation, and "+
			"A %s: less of what it writes outlives a crash", units.Percent(v.Ratio-1), units.Digits(per[1]),
			units.Digits(per[0]))}}
}
