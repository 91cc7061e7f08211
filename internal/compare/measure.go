package compare

// Direction says which way a measure gets better.
type Direction string

// The directions.
const (
	Lower  Direction = "lower"
	Higher Direction = "higher"
)

// Measure is something that is observed in every slice of both variants.
type Measure struct {
	// Key is the measure's key in a Sample, short and stable: it is stored.
	Key string `json:"key"`
	// Name is what reports call it, Unit the unit of its values.
	Name string `json:"name"`
	Unit string `json:"unit"`
	// Better is the direction in which B is faster.
	Better Direction `json:"better"`
	// Floor is the smallest value that is told apart, in Unit: anything below
	// counts as Floor in ratios, so that none out of none is no change and a drop to
	// none is a large one. 0: a value has to be over 0.
	Floor float64 `json:"floor,omitempty"`
}

// The measures that other packages refer to by name.
var (
	// CPU is the gated measure: the CPU clock of the process is in nanoseconds and,
	// unlike wall time, hardly sees who else uses the machine.
	CPU = Measure{Key: "cpu", Name: "CPU per request", Unit: "ns", Better: Lower}

	// Throughput of a slice in which the service stood still is 0; such a slice is
	// kept, as 1 request/s.
	Throughput = Measure{Key: "rate", Name: "throughput", Unit: "requests/s", Better: Higher, Floor: 1}
)

// Measures are all that hone compares, the gated one first. A slice need not show
// all of them. To add one, add it here and its Key to the samples.
var Measures = []Measure{
	CPU,
	Throughput,
	{Key: "p50", Name: "p50 service time", Unit: "ns", Better: Lower},
	{Key: "p90", Name: "p90 service time", Unit: "ns", Better: Lower},
	{Key: "p99", Name: "p99 service time", Unit: "ns", Better: Lower},
	// The floors of the allocation measures are what a process allocates behind a
	// busy service's back: the runtime and the probe, spread over the requests.
	{Key: "allocs", Name: "allocations per request", Unit: "allocs", Better: Lower, Floor: 0.01},
	{Key: "bytes", Name: "bytes allocated per request", Unit: "B", Better: Lower, Floor: 1},
}

// better says whether a ratio B/A above or below 1, given by its logarithm, is an
// improvement.
func (m Measure) better(logRatio float64) bool {
	if m.Better == Higher {
		return logRatio > 0
	}
	return logRatio < 0
}
