package compare

import "strings"

// Direction says which way a measure gets better.
type Direction string

// The directions.
const (
	Lower  Direction = "lower"
	Higher Direction = "higher"
)

// Level says how often a measure is observed.
type Level string

// The levels.
const (
	// PerSlice: every slice shows it; a start's value comes from its pairs of slices.
	PerSlice Level = "slice"
	// PerStart: it is read once for each start of a process.
	PerStart Level = "start"
	// Pooled: it is a percentile of all the slices of a variant together.
	Pooled Level = "pool"
)

// Measure is something that is observed of both variants.
type Measure struct {
	// Key is the measure's key in a Sample, short and stable: it is stored.
	Key string `json:"key"`
	// Name is what reports call it, Unit the unit of its values.
	Name string `json:"name"`
	Unit string `json:"unit"`
	// Better is the direction in which B is faster.
	Better Direction `json:"better"`
	Level  Level     `json:"level"`
	// Quantile of the latency, 0 to 1, where Level is Pooled.
	Quantile float64 `json:"quantile,omitempty"`
	// FirstByte says that the quantile is of the time to the first byte of answers that are streams.
	FirstByte bool `json:"first_byte,omitempty"`
	// Target is the one of several targets whose latency it is; empty for all together.
	Target string `json:"target,omitempty"`
	// Floor is the smallest value that is told apart, in Unit: anything below
	// counts as Floor in ratios, so that none out of none is not a change and a drop to
	// none is a large one. 0: a value has to be over 0.
	Floor float64 `json:"floor,omitempty"`
}

// The measures that other packages refer to by name.
var (
	// CPU is the gated measure: the CPU clock of the process is in nanoseconds and,
	// unlike wall time, hardly sees who else uses the machine.
	CPU = Measure{Key: "cpu", Name: "CPU per request", Unit: "ns", Better: Lower, Level: PerSlice}

	// Throughput of a slice in which the service stood still is 0; such a slice is
	// kept, as 1 request/s.
	Throughput = Measure{Key: "rate", Name: "throughput", Unit: "requests/s", Better: Higher, Level: PerSlice, Floor: 1}

	// Messages are those of streams (load.Counts.Messages); a slice without any has none of this measure.
	Messages = Measure{Key: "messages/s", Name: "messages of streams", Unit: "messages/s", Better: Higher, Level: PerSlice, Floor: 1}

	// The floors of the allocation measures are what a process allocates behind a
	// busy service's back: the runtime and the probe, spread over the requests.
	Allocs = Measure{Key: "allocs", Name: "allocations per request", Unit: "allocs", Better: Lower, Level: PerStart, Floor: 0.01}
	Bytes  = Measure{Key: "bytes", Name: "allocated per request", Unit: "B", Better: Lower, Level: PerStart, Floor: 1}

	// The calls are read, write and their relatives as /proc/PID/io counts them: recv and
	// send are not among them. Their floor is one in a thousand requests.
	ReadCalls  = Measure{Key: "reads", Name: "read calls (not recv) per request", Unit: "calls", Better: Lower, Level: PerStart, Floor: 0.001}
	WriteCalls = Measure{Key: "writes", Name: "write calls (not send) per request", Unit: "calls", Better: Lower, Level: PerStart, Floor: 0.001}

	// The peak holds what starting took; what stays under load is read at its end.
	PeakRSS  = Measure{Key: "rss", Name: "peak resident memory", Unit: "B", Better: Lower, Level: PerStart}
	Resident = Measure{Key: "resident", Name: "resident memory", Unit: "B", Better: Lower, Level: PerStart}
)

// Measures are all that hone compares, the gated one first. A block need not show
// all of them. To add one, add it here and its Key to the samples.
var Measures = []Measure{
	CPU,
	Throughput,
	percentile("p50", 0.5),
	percentile("p90", 0.9),
	percentile("p99", 0.99),
	percentile("p99.9", 0.999),
	firstByte("ttfb-p50", 0.5),
	firstByte("ttfb-p99", 0.99),
	Messages,
	Allocs,
	Bytes,
	ReadCalls,
	WriteCalls,
	PeakRSS,
	Resident,
}

func percentile(key string, q float64) Measure {
	return Measure{Key: key, Name: key + " latency", Unit: "ns", Better: Lower, Level: Pooled, Quantile: q}
}

func firstByte(key string, q float64) Measure {
	m := percentile(key, q)
	m.Name, m.FirstByte = strings.TrimPrefix(key, "ttfb-")+" time to first byte", true
	return m
}

// OfOpenLoop are the measures that the users of a service feel at a given rate: whether it keeps up, and how long they wait.
var OfOpenLoop = []Measure{Throughput, percentile("p50", 0.5), percentile("p99", 0.99)}

// OfStreams says that only answers that are streams show the measure.
func (m Measure) OfStreams() bool { return m.FirstByte || m.Key == Messages.Key }

// better says whether a ratio B/A above or below 1, given by its logarithm, is an
// improvement.
func (m Measure) better(logRatio float64) bool {
	if m.Better == Higher {
		return logRatio > 0
	}
	return logRatio < 0
}
