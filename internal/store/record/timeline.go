package record

import (
	"math"
	"time"

	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/program/memory"
	"github.com/gohone/hone/internal/program/probeclient"
)

// TimelineSchema is that of a timeline.
const TimelineSchema = "hone.timeline/1"

// TimelineArtefact is the kind and the name under which a run keeps its timeline.
const TimelineArtefact = "timeline"

// Timeline is what the Go runtime of one variant did, read from runtime/metrics: in a run,
// whose slices follow each other without a gap, at the end of each slice, beside the load;
// in a comparison before and after the slices of each start.
type Timeline struct {
	Schema string   `json:"schema"`
	Run    string   `json:"run"`
	Slices []Moment `json:"slices"`
}

// Growth is how the number of goroutines and the live heap moved per request: in the latest start, without the first
// fifth of its slices, in which caches and connections fill up; or in each of several starts, of which a comparison has
// only both ends.
func (t *Timeline) Growth() (g facts.Growth) {
	last := t.latest()
	last = last[len(last)/5:]
	if len(last) < 20 {
		return t.growthOfStarts()
	}
	for _, m := range last {
		g.Requests += m.Requests
	}
	if g.Requests == 0 {
		return g
	}
	g.Goroutines, g.FromGoroutines, g.ToGoroutines = steadyRise(last, g.Requests,
		func(m *Moment) uint64 { return m.Goroutines })
	rise, from, to := risingHeap(t.latest())
	g.HeapBytes, g.FromHeap, g.ToHeap = rise.Value, from, to
	return g
}

// growthOfStarts is how sizes moved from the first to the last reading of each start, by their medians.
func (t *Timeline) growthOfStarts() (g facts.Growth) {
	starts := t.starts()
	if len(starts) < fewestStarts {
		return g
	}
	var requests []uint64
	for _, start := range starts {
		sum := uint64(0)
		for i := range start {
			sum += start[i].Requests
		}
		requests = append(requests, sum)
	}
	g.Requests, g.Starts = median(requests), len(starts)
	if g.Requests == 0 {
		return g
	}
	g.Goroutines, g.FromGoroutines, g.ToGoroutines = risesInStarts(starts, g.Requests,
		func(m *Moment) (from, to uint64) { return m.GoroutinesBefore, m.Goroutines })
	g.HeapBytes, g.FromHeap, g.ToHeap = risesInStarts(starts, g.Requests,
		func(m *Moment) (from, to uint64) { return m.HeapLiveBefore, m.HeapLiveBytes })
	return g
}

// latest are the moments of the latest start.
func (t *Timeline) latest() []Moment {
	if all := t.starts(); len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

// starts are the moments of each start.
func (t *Timeline) starts() (all [][]Moment) {
	for from, i := 0, 1; i <= len(t.Slices); i++ {
		if i == len(t.Slices) || t.Slices[i].Start != t.Slices[from].Start {
			all = append(all, t.Slices[from:i])
			from = i
		}
	}
	return all
}

// Rows returns the timeline in at most most rows, each of them one or more slices that
// follow each other: counters added up, sizes and durations the largest.
func (t *Timeline) Rows(most int) []Moment {
	size := max(1, (len(t.Slices)+most-1)/most)
	var rows []Moment
	for i, m := range t.Slices {
		if i%size == 0 {
			rows = append(rows, Moment{At: m.At, Start: m.Start})
		}
		rows[len(rows)-1].add(m)
	}
	return rows
}

func (t *Timeline) maxProcs() int {
	if all := t.latest(); len(all) > 0 {
		last := all[len(all)-1]
		return int(min(last.GOMAXPROCS/uint64(max(last.Processes, 1)), math.MaxInt32))
	}
	return 0
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
	// Collections is when collections ended, since the start of the measurement, in a comparison: the latest 256 of
	// each process (probeclient.CollectionsKept).
	Collections []time.Duration `json:"collections_ns,omitempty"`
	probeclient.Runtime
	// Memory is what of the account of memory was read at its end; nil where it is not known, and in Rows.
	Memory *memory.Moment `json:"memory,omitempty"`
	// Pauses are stop-the-world pauses of collections, Waits how long goroutines that
	// could run waited for a processor.
	Pauses Spans `json:"pauses"`
	Waits  Spans `json:"waits"`
}

// add takes in a slice that follows.
func (m *Moment) add(next Moment) {
	m.Duration += next.Duration
	m.Requests += next.Requests
	m.Runtime = m.Runtime.Add(next.Runtime)
	m.Pauses, m.Waits = m.Pauses.add(next.Pauses), m.Waits.add(next.Waits)
}

// Account is where resident memory was at its end; nil where that is not known.
func (m *Moment) Account() *memory.Account {
	if m.Memory == nil {
		return nil
	}
	return m.Memory.Account(m.HeapObjectBytes, m.HeapLiveBytes, m.HeapGoalBytes, m.Goroutines)
}

// GCShare is the collector's part of the CPU time that was not idle, 0 to 1; false where
// no cycle ended, since the runtime keeps that account at the end of each.
func (m Moment) GCShare() (share float64, known bool) { return GCShareOf(m.Runtime) }

// PerSecond is n over the slice's time.
func (m Moment) PerSecond(n uint64) float64 {
	if m.Duration <= 0 {
		return 0
	}
	return float64(n) / (float64(m.Duration) / float64(time.Second))
}

// Spans sums up durations. A quantile is the upper boundary of the runtime's bucket: at
// most an eighth above the true one.
type Spans struct {
	Count uint64        `json:"count"`
	P50   time.Duration `json:"p50_ns,omitempty"`
	P99   time.Duration `json:"p99_ns,omitempty"`
	Max   time.Duration `json:"max_ns,omitempty"`
}

// add keeps what can be known of both together: the quantiles are lost.
func (s Spans) add(other Spans) Spans {
	return Spans{Count: s.Count + other.Count, Max: max(s.Max, other.Max)}
}

func GCShareOf(r probeclient.Runtime) (share float64, known bool) {
	busy := r.CPU.Total - r.CPU.Idle
	if r.GCCycles == 0 || busy <= 0 {
		return 0, false
	}
	return float64(r.CPU.GC) / float64(busy), true
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
