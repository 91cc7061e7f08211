package gobench

import (
	"context"
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/judge"
)

// What grows with the operations of a benchmark is in its instructions, timed or not. What a process does once is not:
// init, TestMain, what its first operation leaves for later ones. Nor does a count show that B sees that it is
// measured.

// checkFaster checks the benchmarks that execute fewer instructions on B. It runs after the rounds.
func (c *counting) checkFaster(ctx context.Context) error {
	for _, b := range c.running() {
		v := c.referee.ContestOf(&b.Contender).Verdict
		if v.Word != judge.Faster {
			continue
		}
		b.caveats = b.startCaveats(v)
		if err := c.checkTests(ctx, b.bench, v); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// startCaveats says that B's processes execute more beside their operations.
func (b *counted) startCaveats(v judge.Verdict) []record.Caveat {
	startA, startB := benchtext.Median(b.Starts[0]), benchtext.Median(b.Starts[1])
	more, saved := startB-startA, v.A*(1-v.Ratio)
	if slices.Min(b.Starts[1]) <= slices.Max(b.Starts[0]) || more <= longerStart*startA || more <= startOperations*saved {
		return nil
	}
	return []record.Caveat{{Name: benchmarks.CaveatStart, Text: fmt.Sprintf("a process of B executes %s instructions "+
		"besides its operations and one of A %s, which %s operations win back: init, TestMain or the first operation may "+
		"do what A does in each", units.Digits(startB), units.Digits(startA), units.Digits(more/saved))}}
}
