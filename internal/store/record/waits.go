package record

import (
	"time"

	"github.com/gohone/hone/internal/sys/machine"
)

// TailArtefact is the kind and the name under which a run keeps where the time of typical and of slow requests went:
// a walltime.Digest.
const TailArtefact = "tail"

// SpansArtefact is the kind and the name under which a run keeps where the time of requests went by the spans of its
// program: a spans.Digest.
const SpansArtefact = "spans"

// Tracing is what it took to make the wait profile.
type Tracing struct {
	// Duration is the length of the trace that was asked for, Bytes its size.
	Duration time.Duration `json:"duration_ns"`
	Bytes    int64         `json:"bytes"`
	// Requests are those with a time stamp of the generator, from some moments before the trace to some after it.
	Requests int `json:"requests"`
	// Latency is that of the requests of the trace, to hold against the run's: tracing costs the program time.
	Latency *Latency `json:"latency,omitempty"`
	// Conditions are what the machine did meanwhile.
	Conditions machine.Disturbance `json:"conditions,omitzero"`
	// Reading is how long hone took to read the trace, ReadAllocBytes what it allocated meanwhile, which is more than
	// it held at any time.
	Reading        time.Duration `json:"reading_ns"`
	ReadAllocBytes uint64        `json:"read_alloc_bytes"`
}
