package walltime

import (
	"cmp"
	"slices"

	"github.com/gohone/hone/internal/sys/cgroup"
)

// A program that has used up its quota stands still until the next period, and writes no event meanwhile. The kernel
// counts in how many periods that was so and for how long; which stretches these were the trace shows: the longest
// without an event. A goroutine that computes is interrupted after 10 ms (runtime, forcePreemptNS), which is an
// event.

// leastGap is the shortest stretch without an event that is kept.
const leastGap = 1_000_000

// gap is a stretch without an event; idle says that no goroutine had a processor when it began.
type gap struct {
	interval
	idle bool
}

// gap notes a stretch without an event.
func (r *reader) gap(t int64) {
	if t-r.to < leastGap || r.to == 0 {
		return
	}
	one := gap{interval{r.to, t}, true}
	for _, p := range r.procs {
		if n := len(p); n > 0 && p[n-1].by != none {
			one.idle = false
		}
	}
	r.gaps = append(r.gaps, one)
}

// throttledIn are the stretches in which the quota held the program back, by what the kernel counted meanwhile: one
// for each period, the longest first, and together not longer than the kernel says. It adds its time up over CPUs,
// which is as much or more. An idle program is held back, too, when a request comes; where there are enough others,
// an idle stretch is taken for a program without requests.
func (h *history) throttledIn(counted cgroup.Counters) []interval {
	gaps := slices.Clone(h.gaps)
	slices.SortStableFunc(gaps, func(a, b gap) int {
		switch {
		case a.idle && !b.idle:
			return 1
		case b.idle && !a.idle:
			return -1
		}
		return cmp.Compare(b.to-b.from, a.to-a.from)
	})
	left := int64(counted.Throttled)
	var some []interval
	for _, g := range gaps {
		if uint64(len(some)) == counted.ThrottledPeriods || g.to-g.from > left {
			break
		}
		some, left = append(some, g.interval), left-(g.to-g.from)
	}
	slices.SortFunc(some, func(a, b interval) int { return cmp.Compare(a.from, b.from) })
	return some
}

// goesOn says that time of a kind passes whether the program may run or not: in the generator, in the network, for a
// backend, on a clock.
func (k kind) goesOn() bool {
	switch k {
	case kindUnsent, kindAfter, kindNetwork, kindSleep, kindUnknown, kindThrottled, kindHalted, kindPreempted, kindStolen:
		return true
	}
	return false
}
