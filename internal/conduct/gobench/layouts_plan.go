package gobench

import (
	"time"

	"github.com/gohone/hone/judge"
)

const (
	// fewestLayouts can show a difference at 5 % (judge.FewestBlocks).
	fewestLayouts = 6
	// spareLayouts are linked beyond the fewest. With the fewest only one pattern of signs can be significant, and once
	// an early look has spent the level on it, there is no interval at the end.
	spareLayouts = 2
	// mostLayouts is what a long budget has: where orders scatter by 5 %, the mean of 48 has a standard error of 1 %.
	mostLayouts = 48
	// linkShare is the part of the budget that the pool of the first stages may take before it, and that of the second
	// stages of it: 1 in linkShare.
	linkShare = 6
	// mostLayoutBytes is how large the pool of all packages may become: temporary directories may lie in memory.
	mostLayoutBytes = 1 << 30
)

// layoutsFor is how many layouts n benchmarks have, given what one layout of all packages takes in time and in
// bytes: one for each block, as far as there is room for so many, and in any case as many as can show a difference.
func (r Task) layoutsFor(n int, each time.Duration, bytes int64) int {
	if r.Layouts > 0 {
		return min(r.Layouts, mostLayouts)
	}
	blocks, budget := mostLayouts, r.budgetFor(n)
	if budget > 0 {
		blocks = min(blocks, int(budget/(time.Duration(n)*r.blockTime(budget, n))))
	}
	room := min(blocks, int(mostLayoutBytes/max(bytes, 1)))
	if budget > 0 {
		room = min(room, int(budget/(linkShare*max(each, 1))))
	}
	room = max(room, judge.FewestBlocks(r.options().Alpha/float64(n))+spareLayouts)
	if r.Count > 0 {
		room = min(room, r.Count)
	}
	return min(room, mostLayouts)
}
