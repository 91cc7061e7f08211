package page

import (
	"math"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/load"
)

// Slices of one pair are one dot: all their CPU time over all their answers.
func TestSlicesOfAPairAreOneDot(t *testing.T) {
	const ms = time.Millisecond
	run := func(first bool, cpu ...time.Duration) *storedRun {
		r := &storedRun{}
		for i, c := range cpu {
			r.slices = append(r.slices, packed.Slice{
				Slice: load.Slice{Offset: time.Duration(i) * 100 * ms, Duration: 25 * ms,
					Counts: load.Counts{Answered: uint64(100 * (1 + i%2))}},
				Place: packed.Place{Index: i, Pair: i / 2, First: first}, Used: packed.Used{CPU: c}})
		}
		return r
	}
	pairs, blocks, note := pairsOf(run(true, 10*ms, 20*ms, 10*ms, 20*ms, 10*ms, 20*ms),
		run(false, 5*ms, 40*ms, 10*ms, 5*ms, 0, 0))
	if len(pairs) != 2 || len(blocks) != 1 || note != "" {
		t.Fatalf("%+v, %+v, %q, want two pairs of one start: nothing is known of B's last slices", pairs, blocks, note)
	}
	if math.Abs(pairs[0].Change-0.5) > 1e-9 || math.Abs(pairs[1].Change+0.5) > 1e-9 || pairs[1].Seconds != 0.2 {
		t.Errorf("%+v, want +50 %% and -50 %% at 0.2 s", pairs)
	}
}
