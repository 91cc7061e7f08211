package timed

import (
	"math"
	"time"

	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/store/record"
)

func spansOf(h probeclient.Histogram) record.Spans {
	s := record.Spans{Count: h.Total()}
	if s.Count == 0 {
		return s
	}
	at := func(q float64) time.Duration { return time.Duration(math.Round(h.Quantile(q) * float64(time.Second))) }
	s.P50, s.P99, s.Max = at(0.5), at(0.99), at(1)
	return s
}

// RuntimeSummary is nil where no slice was read, or not all of the program.
func (t *Load) RuntimeSummary() *record.RuntimeSummary {
	sum, all := record.RuntimeSummary{Slices: len(t.Moments)}, t.Runtime
	if sum.Slices == 0 || t.Covered.Incomplete() {
		return nil
	}
	for _, m := range t.Moments {
		sum.Time += m.Took
	}
	sum.Cycles, sum.Pauses, sum.Waits = all.GCCycles, spansOf(all.Pauses), spansOf(all.Waits)
	sum.Processes = all.Processes
	sum.HeapLiveBytes, sum.HeapGoalBytes, sum.Goroutines = all.HeapLiveBytes, all.HeapGoalBytes, all.Goroutines
	// The first cycle of a process brings what was used before these slices into the account.
	if share, known := record.GCShareOf(all); known && all.GCCycles > uint64(max(1, all.Processes)) {
		assist := share * float64(all.CPU.GCAssist) / float64(max(1, all.CPU.GC))
		sum.GCShare, sum.AssistShare = &share, &assist
	}
	return &sum
}

// Timeline is what the slices were read to do; nil where they were not, or not all of the program.
func (t *Load) Timeline(run string, started time.Time) *record.Timeline {
	if len(t.Moments) == 0 || t.Covered.Incomplete() {
		return nil
	}
	line := &record.Timeline{Schema: record.TimelineSchema, Run: run}
	for _, one := range t.Moments {
		m := record.Moment{
			At: one.At.Sub(started), Duration: one.Took, Start: one.Start, Requests: one.Requests,
			GoroutinesBefore: one.Before.Goroutines, HeapLiveBefore: one.Before.Heap,
			Runtime: one.Runtime, Memory: one.Memory, Pauses: one.pauses, Waits: one.waits,
		}
		for _, end := range one.Ends {
			m.Collections = append(m.Collections, end.Sub(started))
		}
		objects, bytes := one.Allocated()
		m.AllocObjects, m.AllocBytes = uint64(max(0, objects)), uint64(max(0, bytes))
		line.Slices = append(line.Slices, m)
	}
	return line
}
