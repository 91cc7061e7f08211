package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/store/record"
)

const timelineFile = "timeline.json"

func spansOf(h probeclient.Histogram) record.Spans {
	s := record.Spans{Count: h.Total()}
	if s.Count == 0 {
		return s
	}
	at := func(q float64) time.Duration { return time.Duration(math.Round(h.Quantile(q) * float64(time.Second))) }
	s.P50, s.P99, s.Max = at(0.5), at(0.99), at(1)
	return s
}

// runtimeSummary is nil where no slice was read, or not all of the program.
func (v *service) runtimeSummary() *record.RuntimeSummary {
	sum, all := record.RuntimeSummary{Slices: len(v.timed.moments)}, v.timed.runtime
	if sum.Slices == 0 || v.timed.covered.incomplete() {
		return nil
	}
	for _, m := range v.timed.moments {
		sum.Time += m.took
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

// timeline is what the slices were read to do; nil where they were not, or not all of the program.
func (v *service) timeline(started time.Time) *record.Timeline {
	if len(v.timed.moments) == 0 || v.timed.covered.incomplete() {
		return nil
	}
	line := &record.Timeline{Schema: record.TimelineSchema, Run: v.draft.ID()}
	for _, one := range v.timed.moments {
		m := record.Moment{
			At: one.at.Sub(started), Duration: one.took, Start: one.start, Requests: one.requests,
			GoroutinesBefore: one.before.goroutines, HeapLiveBefore: one.before.heap,
			Runtime: one.runtime, Pauses: one.pauses, Waits: one.waits,
		}
		for _, end := range one.ends {
			m.Collections = append(m.Collections, end.Sub(started))
		}
		objects, bytes := one.allocated()
		m.AllocObjects, m.AllocBytes = uint64(max(0, objects)), uint64(max(0, bytes))
		line.Slices = append(line.Slices, m)
	}
	return line
}

// saveTimeline stores the timeline, if there is one.
func (v *service) saveTimeline(started time.Time) error {
	line := v.timeline(started)
	if line == nil {
		return nil
	}
	doc, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("encode timeline: %w", err)
	}
	_, err = v.draft.AddArtefact(record.TimelineArtefact, timelineFile, bytes.NewReader(doc))
	return err
}
