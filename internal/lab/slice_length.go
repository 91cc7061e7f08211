package lab

import (
	"context"
	"time"
)

// How far a pair of slices scatters hardly depends on their length, so the shorter they are the
// more pairs there are, and the narrower the interval; until starting a slice, which finds an idle
// program, counts. On a machine of two shared CPUs (hone compare --slice, --budget 12s, equal
// variants, means of three comparisons or six) the intervals had half-widths of 4.4 % with 10 ms, 7.1 %
// with 25 ms and 11.8 % with 5 ms for a web service, and 4.8 % with 10 ms and 9.5 % with 25 ms for a
// framed server.
//
// A collector that takes much of the CPU time is another reason for long slices: one that falls
// into A's slice and not into B's is a difference between them. A service whose collector took a
// fifth of its CPU time and ran each 37 ms (bench/calibrate/subject/collected; 24 November 2026, two
// shared CPUs; equal variants, --budget 20s, four comparisons each) was estimated with errors of 1.1 % (root mean square)
// with 25 ms, 0.3 % with 100 ms and 0.4 % with 250 ms.
const (
	shortestSlice = 10 * time.Millisecond
	longestSlice  = 250 * time.Millisecond
	// A slice has so many answers, so that the requests at its edges are few of them, and
	// is so many times as long as one of them takes, so that its drain is a small part.
	answersPerSlice = 100
	answersInTurn   = 8
	// It has so many collections if they take this share of the CPU time or more.
	collectionsPerSlice = 4
	busyCollector       = 0.05
)

// warmUp is what the latest warm-up of a start saw.
type warmUp struct {
	began    time.Time
	took     time.Duration
	answered uint64
	median   time.Duration // of the latency
	// collections is how many ended, collecting the share of the CPU time that the collector has
	// taken since the program started. They are 0 until watchCollector.
	collections int
	collecting  float64
}

// sliceLength is how long the slices of a service should be that was warmed up so.
func (w warmUp) sliceLength() time.Duration {
	length := answersInTurn * w.median
	if w.answered > 0 {
		length = max(length, answersPerSlice*w.took/time.Duration(w.answered))
	}
	if w.collections > 0 && w.collecting >= busyCollector {
		length = max(length, collectionsPerSlice*w.took/time.Duration(w.collections))
	}
	return min(max(shortestSlice, length.Round(time.Millisecond)), longestSlice)
}

// watchCollector asks the runtime what the collector did during the warm-up. A program without a probe does not
// tell.
func (s *start) watchCollector(ctx context.Context) {
	s.openGauge(ctx)
	r := s.readRuntime(ctx)
	if r == nil {
		return
	}
	if cpu := r.runtime.CPU; cpu.GC > 0 {
		s.warmed.collecting = float64(cpu.GC) / float64(cpu.GC+cpu.User)
	}
	s.warmed.collections = len(s.collectionEnds(ctx, s.warmed.began))
}

// planBlocks sets the length of all slices by what the warm-ups of the first start saw, unless
// the user did, and plans the first blocks by it and by what the latest comparison of this
// program saw. Variants that are not up together have the length that the first of them needs.
func (u *underLoad) planBlocks(ctx context.Context, group []*start) {
	if u.referee == nil {
		return
	}
	if u.request.Slice == 0 {
		for _, s := range group {
			s.watchCollector(ctx)
			u.request.Slice = max(u.request.Slice, s.warmed.sliceLength())
		}
	}
	u.sizes = newBlockSizes(u.request)
	u.sizes.plan(u.lastSpread())
}
