package tune

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/vitals"
)

// DefaultPercents are the values of GOGC that a sweep tries.
var DefaultPercents = []int{50, 100, 200, 400, 800}

const (
	// fewSettings is how many settings are measured in one round without choosing among them
	// first; chosenSettings is how many values of GOGC are chosen for the second.
	fewSettings, chosenSettings = 3, 3
	// firstShare is the part of the budget of the first of two rounds.
	firstShare = 0.4
	// gcSlice is the length of slices: long beside a collection, so that a collection mostly
	// ends in the slice that it begins in, whose CPU time counts.
	gcSlice = 50 * time.Millisecond
	// leastCycles is how many collections a setting has to show for each start on average:
	// with fewer, most of the time is that before the first collection.
	leastCycles = 2
	// limitShare is the part of a memory limit that GOMEMLIMIT gets: the rest is what the
	// runtime does not count (go.dev/doc/gc-guide, "Memory limit", suggests 5 to 10 %).
	limitShare = 0.9
	// roomTimes is GOMEMLIMIT, without a limit that the user names, in peaks of the program as
	// it is.
	roomTimes = 4
)

// SweepGC tries settings of GOGC and GOMEMLIMIT. dir is a temporary directory of the caller's for
// the executable. With many values it goes in two rounds: a first one over all values of GOGC, and
// a second one, with new measurements, of those on the front of CPU time against memory that fit
// the limit, and of GOGC=off with GOMEMLIMIT. Both rounds have half of the level.
//
// asked are the values of GOGC, without that of the program as it is; nil takes DefaultPercents. limit is the memory
// that the process may take, in bytes; 0 limits nothing.
func (t Trial) SweepGC(ctx context.Context, asked []int, limit uint64, dir string) (*tuning.GCReport, error) {
	percents, err := t.percents(asked)
	if err != nil {
		return nil, err
	}
	if t.Task.Slice == 0 {
		t.Task.Slice = gcSlice
	}
	out := &tuning.GCReport{Schema: tuning.GCSchema, LimitBytes: limit}
	began, alpha := time.Now(), t.Level()
	if len(percents) <= fewSettings {
		settings := append(gogc(percents, limit), withLimit(limit)...)
		last, err := t.round(ctx, settings, t.Task.Budget, alpha)
		if err != nil {
			return nil, err
		}
		out.Rounds = []*tuning.Round{last}
		return concludeSweep(out), nil
	}
	if t, err = t.prebuild(ctx, dir); err != nil {
		return nil, err
	}
	first, err := t.round(ctx, gogc(percents, 0), time.Duration(firstShare*float64(t.Task.Budget)), alpha/2)
	if err != nil {
		return nil, err
	}
	out.Rounds = []*tuning.Round{first}
	if a := first.AsIs; a.Probed && a.Cycles == 0 {
		return concludeSweep(out), nil
	}
	chosen := choose(first, limit)
	settings := append(gogc(chosen, limit), withLimit(cmp.Or(limit, roomTimes*first.AsIs.PeakRSSBytes))...)
	rest := max(t.Task.Budget-time.Since(began), t.Task.Budget/2)
	t.Task.BlockLoad = loadFor(first.AsIs, settings, rest, t.Task.BlockLoad)
	second, err := t.round(ctx, settings, rest, alpha/2)
	if err != nil {
		return nil, err
	}
	out.Rounds = append(out.Rounds, second)
	return concludeSweep(out), nil
}

// percents are the values of GOGC to try: without that of the program as it is, in order.
func (t Trial) percents(asked []int) ([]int, error) {
	if len(asked) == 0 {
		asked = DefaultPercents
	}
	current, known := setting(t.program(), "GOGC")
	if !known {
		current = "100"
	}
	var all []int
	for _, p := range slices.Sorted(slices.Values(asked)) {
		if p < 1 || p > 1e6 {
			return nil, fail.New(fail.BadInput, "GOGC=%d: want 1 to 1,000,000 per cent", p)
		}
		if strconv.Itoa(p) != current && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil, fail.New(fail.BadInput, "nothing to try: the program has GOGC=%s already", current).
			WithHint("name other values: --gogc 50,200,400")
	}
	if len(all) > mostSettings-1 {
		return nil, fail.New(fail.BadInput, "%d values of GOGC, want up to %d", len(all), mostSettings-1)
	}
	return all, nil
}

// gogc are settings of GOGC; with a limit they carry it, so that they keep to it.
func gogc(percents []int, limit uint64) []tuning.Setting {
	var all []tuning.Setting
	for _, p := range percents {
		s := tuning.Setting{Name: fmt.Sprintf("GOGC=%d", p), Env: []string{fmt.Sprintf("GOGC=%d", p)}}
		if limit > 0 {
			s.Name += " " + goMemLimit(limit)
			s.Env = append(s.Env, goMemLimit(limit))
		}
		all = append(all, s)
	}
	return all
}

// withLimit is a collector that runs only where memory comes near the limit; nothing without one.
func withLimit(limit uint64) []tuning.Setting {
	if limit == 0 {
		return nil
	}
	return []tuning.Setting{{Name: "GOGC=off " + goMemLimit(limit), Env: []string{"GOGC=off", goMemLimit(limit)}}}
}

// goMemLimit writes the variable for a process that may take limit bytes, in whole MiB.
func goMemLimit(limit uint64) string {
	return fmt.Sprintf("GOMEMLIMIT=%dMiB", max(1, uint64(limitShare*float64(limit))>>20))
}

// choose are the values of GOGC for the second round: of those that fit the limit the ones that
// no other beats in both CPU time and memory, by the estimates of the first; of many, those that
// take least CPU time.
func choose(first *tuning.Round, limit uint64) []int {
	points := pointsOf(first)
	markFront(points)
	var hopeful []tuning.Point
	for _, p := range points {
		if !p.AsIs && p.Front && p.Unsettled == "" && fits(p, limit) {
			hopeful = append(hopeful, p)
		}
	}
	slices.SortFunc(hopeful, func(a, b tuning.Point) int { return cmp.Compare(a.CPUNanos, b.CPUNanos) })
	var all []int
	for _, p := range hopeful[:min(len(hopeful), chosenSettings)] {
		if n, err := strconv.Atoi(p.Name[len("GOGC="):]); err == nil {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all
}

// loadFor is the timed load between starts in which a heap that grows up to a limit, or to its goal where memory is
// looked at, is collected leastCycles times, at the rate at which the program allocates. A share of the budget bounds
// it.
func loadFor(a tuning.AsIs, settings []tuning.Setting, budget, asked time.Duration) time.Duration {
	if asked > 0 || a.BytesPerSecond == 0 {
		return asked
	}
	most := uint64(0)
	for _, s := range settings {
		if s.Kind == spec.SettingMemory && a.HeapGoalBytes < vitals.NoHeapGoal {
			most = max(most, a.HeapGoalBytes)
		}
		for _, entry := range s.Env {
			var mib uint64
			if n, _ := fmt.Sscanf(entry, "GOMEMLIMIT=%dMiB", &mib); n == 1 {
				most = max(most, mib<<20)
			}
		}
	}
	each := time.Duration((leastCycles + 1) * float64(most) / a.BytesPerSecond * float64(time.Second))
	const blocks = 16 // as many starts as a verdict on several variants takes, with some to spare
	if need := each * time.Duration(len(settings)+1); need > time.Second {
		return min(need, budget/blocks)
	}
	return 0
}
