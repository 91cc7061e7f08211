package lab

import "time"

// The noise of a shared machine comes in stretches of some tens of milliseconds, so the
// shorter the slices are the more pairs have both halves in the same one: on a machine
// of two shared CPUs the block estimates from slices of 25, 50 and 100 ms scattered by
// 0.7, 0.9 to 1.5 and 3 to 7 %.
const (
	shortestSlice = 25 * time.Millisecond
	longestSlice  = 250 * time.Millisecond
	// A slice has so many answers, so that the requests at its edges are few of them, and
	// is so many times as long as one of them takes, so that its drain is a small part.
	answersPerSlice = 100
	answersInTurn   = 8
)

// sliceLength is how long the slices of a service should be that gave so many answers, half
// of them within median, in a warm-up of this length.
func sliceLength(warmUp time.Duration, answered uint64, median time.Duration) time.Duration {
	length := answersInTurn * median
	if answered > 0 {
		length = max(length, answersPerSlice*warmUp/time.Duration(answered))
	}
	return min(max(shortestSlice, length.Round(time.Millisecond)), longestSlice)
}

// planBlocks sets the length of all slices by what the warm-ups of the first start saw, unless
// the user did, and plans the first blocks by it and by what the latest comparison of this
// program saw. Variants that are not up together have the length that the first of them needs.
func (u *underLoad) planBlocks(group []*start) {
	if u.referee == nil {
		return
	}
	if u.request.Slice == 0 {
		for _, s := range group {
			u.request.Slice = max(u.request.Slice, sliceLength(u.request.WarmUp, s.warmed.answered, s.warmed.median))
		}
	}
	u.sizes = newBlockSizes(u.request)
	u.sizes.plan(u.lastSpread())
}
