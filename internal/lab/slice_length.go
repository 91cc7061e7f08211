package lab

import "time"

// How far a pair of slices scatters hardly depends on their length, so the shorter they are the
// more pairs there are, and the narrower the interval; until starting a slice, which finds an idle
// program, counts. On a machine of two shared CPUs (hone compare --slice, --budget 12s, equal
// variants, means of three comparisons or six) the intervals had half-widths of 4.4 % with 10 ms, 7.1 %
// with 25 ms and 11.8 % with 5 ms for a web service, and 4.8 % with 10 ms and 9.5 % with 25 ms for a
// framed server.
const (
	shortestSlice = 10 * time.Millisecond
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
