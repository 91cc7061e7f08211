package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/gohone/hone/internal/program/subject"
)

// TimelineSchema is that of a timeline.
const TimelineSchema = "hone.timeline/1"

// TimelineArtefact is the kind and the name under which a run keeps its timeline.
const TimelineArtefact, timelineFile = "timeline", "timeline.json"

// Timeline is what the Go runtime of one variant did, read from runtime/metrics: in a run,
// whose slices follow each other without a gap, at the end of each slice, beside the load;
// in a comparison before and after the slices of each start.
type Timeline struct {
	Schema string   `json:"schema"`
	Run    string   `json:"run"`
	Slices []Moment `json:"slices"`
}

// Moment is a part of a timeline, from one reading to the next. Counters are of this time,
// less what reading them allocates; sizes are those at its end.
type Moment struct {
	// At is when the moment began, since the start of the measurement. A program that is
	// slow to answer has several slices in one moment.
	At       time.Duration `json:"at_ns"`
	Duration time.Duration `json:"duration_ns"`
	// Start numbers the fresh starts of the program from 0.
	Start    int    `json:"start"`
	Requests uint64 `json:"requests"` // answered right
	// GoroutinesBefore and HeapLiveBefore are the sizes at its beginning.
	GoroutinesBefore uint64 `json:"goroutines_before,omitempty"`
	HeapLiveBefore   uint64 `json:"heap_live_before_bytes,omitempty"`
	// Collections is when collections ended, since the start of the measurement, in a comparison: the latest 256 of each
	// process (subject.CollectionsKept).
	Collections []time.Duration `json:"collections_ns,omitempty"`
	subject.Runtime
	// Pauses are stop-the-world pauses of collections, Waits how long goroutines that
	// could run waited for a processor.
	Pauses Spans `json:"pauses"`
	Waits  Spans `json:"waits"`
}

// Spans sums up durations. A quantile is the upper boundary of the runtime's bucket: at
// most an eighth above the true one.
type Spans struct {
	Count uint64        `json:"count"`
	P50   time.Duration `json:"p50_ns,omitempty"`
	P99   time.Duration `json:"p99_ns,omitempty"`
	Max   time.Duration `json:"max_ns,omitempty"`
}

func spansOf(h subject.Histogram) Spans {
	s := Spans{Count: h.Total()}
	if s.Count == 0 {
		return s
	}
	at := func(q float64) time.Duration { return time.Duration(math.Round(h.Quantile(q) * float64(time.Second))) }
	s.P50, s.P99, s.Max = at(0.5), at(0.99), at(1)
	return s
}

// RuntimeSummary is a timeline in a few numbers.
type RuntimeSummary struct {
	// Slices are those that were read, of Time together.
	Slices int           `json:"slices"`
	Time   time.Duration `json:"time_ns"`
	// Cycles are the collections that ended in them.
	Cycles uint64 `json:"gc_cycles"`
	// GCShare is the collector's part of the CPU time that was not idle, 0 to 1, as the
	// runtime accounts for it at the end of each cycle; AssistShare is the part of it that
	// allocating goroutines had to do themselves. Nil without two cycles.
	GCShare     *float64 `json:"gc_cpu_share,omitempty"`
	AssistShare *float64 `json:"gc_assist_share,omitempty"`
	Pauses      Spans    `json:"pauses"`
	Waits       Spans    `json:"waits"`
	// The largest of all slices, over all processes. Processes are those with a probe.
	Processes     int    `json:"processes,omitempty"`
	HeapLiveBytes uint64 `json:"heap_live_bytes"`
	HeapGoalBytes uint64 `json:"heap_goal_bytes"`
	Goroutines    uint64 `json:"goroutines"`
}

// runtimeSummary is nil where no slice was read, or not all of the program.
func (v *service) runtimeSummary() *RuntimeSummary {
	sum, all := RuntimeSummary{Slices: len(v.timed.moments)}, v.timed.runtime
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
	if share, known := gcShare(all); known && all.GCCycles > uint64(max(1, all.Processes)) {
		assist := share * float64(all.CPU.GCAssist) / float64(max(1, all.CPU.GC))
		sum.GCShare, sum.AssistShare = &share, &assist
	}
	return &sum
}

// timeline is what the slices were read to do; nil where they were not, or not all of the program.
func (v *service) timeline(started time.Time) *Timeline {
	if len(v.timed.moments) == 0 || v.timed.covered.incomplete() {
		return nil
	}
	line := &Timeline{Schema: TimelineSchema, Run: v.draft.ID()}
	for _, one := range v.timed.moments {
		m := Moment{
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
	_, err = v.draft.AddArtefact(TimelineArtefact, timelineFile, bytes.NewReader(doc))
	return err
}
