package vitals

import (
	"math"
	"slices"
	"time"
)

// Window keeps the durations of the last while, for quantiles of what happens too seldom
// for one of each reading. It holds at most maxWindow groups.
type Window struct {
	// Span is how long a duration counts.
	Span   time.Duration
	groups []group
}

type group struct {
	at      time.Time
	seconds float64
	count   float64
}

// maxWindow bounds the memory: a minute at ten readings per second with a few values each.
const maxWindow = 4096

// Add takes in count durations that were seen at a moment.
func (w *Window) Add(at time.Time, seconds, count float64) {
	if !(count > 0) || math.IsNaN(seconds) {
		return
	}
	if len(w.groups) == maxWindow {
		w.groups = slices.Delete(w.groups, 0, maxWindow/4)
	}
	w.groups = append(w.groups, group{at, seconds, count})
}

// Quantile is the duration of rank ceil(q*n) of those in the span before now, for 0 < q <=
// 1; absent if there are none.
func (w *Window) Quantile(now time.Time, q float64) Value {
	since := now.Add(-w.Span)
	w.groups = slices.DeleteFunc(w.groups, func(g group) bool { return g.at.Before(since) })
	sorted := slices.Clone(w.groups)
	slices.SortFunc(sorted, func(a, b group) int {
		switch {
		case a.seconds < b.seconds:
			return -1
		case a.seconds > b.seconds:
			return 1
		}
		return 0
	})
	total := 0.0
	for _, g := range sorted {
		total += g.count
	}
	rank, seen := math.Ceil(q*total), 0.0
	for _, g := range sorted {
		if seen += g.count; seen >= rank {
			return Of(g.seconds)
		}
	}
	return Value{}
}
