package record

import (
	"time"

	"github.com/gohone/hone/internal/spec"
)

// LoadCommand is what a document says of a load command.
type LoadCommand struct {
	spec.LoadCommand
	// Operations is how many it counted in the timed slices.
	Operations uint64 `json:"operations"`
}

// Streams are the numbers of answers that are streams, over all slices.
type Streams struct {
	// Messages are events, chunks, frames or messages of calls.
	Messages          uint64  `json:"messages"`
	MessagesPerSecond float64 `json:"messages_per_second"`
	// FirstByte is the time to the first byte, counted as Run.Latency is, Gaps the time between two messages of one
	// answer; nil without any.
	FirstByte *Latency `json:"first_byte,omitempty"`
	Gaps      *Latency `json:"gaps,omitempty"`
}

// TargetRow is what one of several targets had, over all slices.
type TargetRow struct {
	Name     string `json:"name"`
	Answered uint64 `json:"answered"` // right
	Failed   uint64 `json:"failed"`
	// Latency is counted as Run.Latency is; nil without any.
	Latency *Latency `json:"latency,omitempty"`
}

// Latency holds quantiles of a latency, in nanoseconds.
type Latency struct {
	// Count is how many answers they rest on, in an open loop with the requests that were
	// given up; 0 in documents of earlier hones. A quantile that takes more answers
	// (stats.Resolving) is the largest of them.
	Count int64 `json:"count,omitempty"`
	P50   int64 `json:"p50"`
	P75   int64 `json:"p75"`
	P90   int64 `json:"p90"`
	P95   int64 `json:"p95"`
	P99   int64 `json:"p99"`
	P999  int64 `json:"p99_9"`
	P9999 int64 `json:"p99_99"`
	Max   int64 `json:"max"`
}

// Interval is an estimate with its confidence interval. A confidence of 0 means that
// there were too few slices for one (under 6, for 95 %).
type Interval struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low,omitempty"`
	High  float64 `json:"high,omitempty"`
	Conf  float64 `json:"confidence"`
}

// Center puts the value where it is known better from elsewhere, within the interval.
func (i *Interval) Center(value float64) {
	i.Value = value
	if i.Conf > 0 {
		i.Low, i.High = min(i.Low, value), max(i.High, value)
	}
}

// Output is how many bytes a program wrote.
type Output struct {
	Written uint64 `json:"written_bytes"`
	// Dropped is the part that was not kept: of each stream of a start the first and the
	// last 32 KiB are.
	Dropped uint64 `json:"dropped_bytes,omitempty"`
	// Waits is how often hone found the program's pipe full, so that it had to wait.
	Waits uint64 `json:"waits,omitempty"`
}

// PerRequest is what one request costs the subject besides CPU time. NaN never
// occurs: what was not observed is nil.
type PerRequest struct {
	// The calls are those of usage.Counters: without recv and send.
	ReadCalls  *float64 `json:"read_calls,omitempty"`
	WriteCalls *float64 `json:"write_calls,omitempty"`
	// ReadBytes and WriteBytes went through the calls.
	ReadBytes           *float64 `json:"read_bytes,omitempty"`
	WriteBytes          *float64 `json:"write_bytes,omitempty"`
	VoluntarySwitches   *float64 `json:"voluntary_switches,omitempty"`
	InvoluntarySwitches *float64 `json:"involuntary_switches,omitempty"`
	Allocs              *float64 `json:"allocs,omitempty"`
	AllocBytes          *float64 `json:"alloc_bytes,omitempty"`
	// These are gained with each request.
	HeapKept        *float64 `json:"heap_kept_bytes,omitempty"`
	GoroutinesKept  *float64 `json:"goroutines_kept,omitempty"`
	DescriptorsKept *float64 `json:"descriptors_kept,omitempty"`
}

// RecordedMetrics says what is recorded as time series.
type RecordedMetrics struct {
	// Page is the program's own, as it was asked; empty if it has none.
	Page     string        `json:"page,omitempty"`
	Series   int           `json:"series"`
	Interval time.Duration `json:"interval_ns"`
}

// AgentsApart is by how much agents began the slices of a measurement apart.
type AgentsApart struct {
	// Slices is how many there were, warm-ups included.
	Slices int           `json:"slices"`
	Median time.Duration `json:"median_ns"`
	Most   time.Duration `json:"most_ns"`
	// Uncertain bounds the error of these: the clocks of agents are known by messages only.
	Uncertain time.Duration `json:"uncertain_ns"`
}
