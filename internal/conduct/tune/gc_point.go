package tune

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/internal/text/vitals"
	"github.com/gohone/hone/judge"
)

// conclude lays the points of all rounds side by side, and recommends one.
func concludeSweep(r *tuning.GCReport) *tuning.GCReport {
	last := r.Rounds[len(r.Rounds)-1]
	r.Points = pointsOf(last)
	markFront(r.Points)
	for _, round := range r.Rounds[:len(r.Rounds)-1] {
		for _, p := range pointsOf(round) {
			same := func(q tuning.Point) bool {
				return slices.Equal(q.Env[:min(1, len(q.Env))], p.Env[:min(1, len(p.Env))])
			}
			if p.AsIs || slices.ContainsFunc(r.Points, same) {
				continue
			}
			// The rounds are of different times: what joins them is the program as it is.
			if round.AsIs.CPUNanos > 0 && last.AsIs.CPUNanos > 0 {
				p.CPUNanos *= last.AsIs.CPUNanos / round.AsIs.CPUNanos
			}
			p.FirstRound, p.Front = true, false
			r.Points = append(r.Points, p)
		}
	}
	slices.SortStableFunc(r.Points, func(a, b tuning.Point) int { return cmp.Compare(a.NeedsBytes, b.NeedsBytes) })
	r.Recommended, r.Reason = recommend(r.Points, r.LimitBytes)
	return r
}

// pointsOf are the program as it is and the settings of a round.
func pointsOf(r *tuning.Round) []tuning.Point {
	a := tuning.Point{Name: "as it is", AsIs: true, CPUNanos: r.AsIs.CPUNanos, Readings: r.AsIs.Readings}
	beside := a.PeakRSSBytes - min(a.PeakRSSBytes, a.HeapGoalBytes)
	a.NeedsBytes = needs(a.Readings, beside)
	all := []tuning.Point{a}
	for _, e := range r.Effects {
		p := tuning.Point{Name: e.Name, Env: e.Env, CPUNanos: a.CPUNanos * e.Ratio(), Claim: e.Claim,
			Readings: e.Readings, NeedsBytes: needs(e.Readings, beside)}
		if v, ok := e.On(measure.CPU); ok {
			p.CPU = &v
		}
		p.Unsettled = unsettled(p.Readings)
		all = append(all, p)
	}
	return all
}

// needs is Point.NeedsBytes; beside is what the program takes besides its heap.
func needs(r tuning.Readings, beside uint64) uint64 {
	if r.HeapGoalBytes >= vitals.NoHeapGoal {
		return r.PeakRSSBytes
	}
	return max(r.PeakRSSBytes, beside+r.HeapGoalBytes)
}

// unsettled says why readings are too few collections to judge by; empty if they are enough, or
// not known.
func unsettled(r tuning.Readings) string {
	if !r.Probed || r.Cycles >= leastCycles*uint64(max(1, r.Starts)) {
		return ""
	}
	return fmt.Sprintf("%s in %s: the heap hardly reached its goal", units.Plural(int(r.Cycles), "collection"),
		units.Plural(r.Starts, "start"))
}

// markFront marks the points that no other beats in both CPU time and memory (Pareto). Those that
// are not settled count for nothing.
func markFront(points []tuning.Point) {
	for i := range points {
		p := &points[i]
		p.Front = p.CPUNanos > 0 && p.Unsettled == "" && !slices.ContainsFunc(points, func(q tuning.Point) bool {
			return q.Unsettled == "" && q.CPUNanos > 0 && q.CPUNanos <= p.CPUNanos && q.NeedsBytes <= p.NeedsBytes &&
				(q.CPUNanos < p.CPUNanos || q.NeedsBytes < p.NeedsBytes)
		})
	}
}

// fits says whether a point keeps to a limit; every point keeps to a limit of 0.
func fits(p tuning.Point, limit uint64) bool { return limit == 0 || p.NeedsBytes <= limit }

// alike is how much more CPU time a setting may take than the best one, as a fraction, and be
// preferred for taking less memory: the tolerance of "the same" of a comparison.
const alike = judge.DefaultDelta

// recommend picks the point that takes least CPU time among those that fit the limit and whose gain
// was shown; of several alike that with least memory.
func recommend(points []tuning.Point, limit uint64) (name, reason string) {
	asIs := points[slices.IndexFunc(points, func(p tuning.Point) bool { return p.AsIs })]
	if asIs.Probed && asIs.Cycles == 0 {
		return "", "the collector did not run while requests were answered, so none of its settings can help"
	}
	if limit == 0 {
		return "", withoutLimit(points)
	}
	mustChange := !fits(asIs, limit)
	var able []tuning.Point
	for _, p := range points {
		if !p.AsIs && !p.FirstRound && p.Unsettled == "" && p.CPUNanos > 0 && fits(p, limit) &&
			(p.Claim == tuning.Less || mustChange) {
			able = append(able, p)
		}
	}
	switch {
	case len(able) == 0 && mustChange:
		return "", fmt.Sprintf("nothing that was tried keeps to %s; as it is the program takes %s",
			units.Bytes(float64(limit)), units.Bytes(float64(asIs.NeedsBytes)))
	case len(able) == 0:
		return "", fmt.Sprintf("no setting that keeps to %s was shown to take less CPU time",
			units.Bytes(float64(limit)))
	}
	best := slices.MinFunc(able, func(a, b tuning.Point) int { return cmp.Compare(a.CPUNanos, b.CPUNanos) })
	able = slices.DeleteFunc(able, func(p tuning.Point) bool { return p.CPUNanos > best.CPUNanos*(1+alike) })
	least := slices.MinFunc(able, func(a, b tuning.Point) int { return cmp.Compare(a.NeedsBytes, b.NeedsBytes) })
	reason = "takes least CPU time of what keeps to the limit"
	if least.Name != best.Name {
		reason = fmt.Sprintf("takes less memory than %s, and hardly more CPU time", best.Name)
	}
	return least.Name, reason
}

// withoutLimit says what there is to choose from.
func withoutLimit(points []tuning.Point) string {
	shown := 0
	for _, p := range points {
		if p.Claim == tuning.Less && !p.FirstRound && p.Unsettled == "" {
			shown++
		}
	}
	if shown == 0 {
		return "no setting was shown to take less CPU time"
	}
	return "every step along the front takes less CPU time and more memory: with a limit (--memory-limit) hone " +
		"recommends one"
}
