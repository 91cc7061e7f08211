package vitals

import "time"

// NoHeapGoal is a goal of the heap that no machine reaches: the runtime gives the largest number where the collector is
// off (runtime/metrics, /gc/heap/goal:bytes).
const NoHeapGoal = 1 << 60

// Reading is what was known at one moment. Rates and quantiles are of the time since the
// reading before, unless their comment says otherwise; every value may be absent.
type Reading struct {
	At time.Time `json:"at"`

	Traffic
	Process
	Runtime

	// GeneratorShare is the part of its CPU that the load generator used, 0 to 1.
	GeneratorShare Value `json:"generator_share,omitzero"`

	// Rates are the busiest counters, Latencies the busiest histograms of durations, the
	// busiest first; Causes counts failed requests so far by cause.
	Rates     []Rate    `json:"rates,omitempty"`
	Latencies []Latency `json:"latencies,omitempty"`
	Causes    []Cause   `json:"causes,omitempty"`
}

// Traffic is what a service answers, and how fast.
type Traffic struct {
	// RatePerSec is the rate that says best how busy the service is, RateName what it
	// counts; AskedPerSec is what an open loop asks for, ErrorsPerSec the part of it that
	// failed.
	RatePerSec   Value  `json:"rate_per_sec,omitzero"`
	RateName     string `json:"rate_name,omitempty"`
	AskedPerSec  Value  `json:"asked_per_sec,omitzero"`
	ErrorsPerSec Value  `json:"errors_per_sec,omitzero"`
	// The latency that belongs to the rate, and its name.
	LatencyP50Seconds  Value  `json:"latency_p50_seconds,omitzero"`
	LatencyP99Seconds  Value  `json:"latency_p99_seconds,omitzero"`
	LatencyP999Seconds Value  `json:"latency_p99_9_seconds,omitzero"`
	LatencyName        string `json:"latency_name,omitempty"`
}

// Process is what the operating system knows of a process.
type Process struct {
	// CPUCores is CPU time over wall time, of all threads: 1.5 is one and a half cores.
	CPUCores      Value `json:"cpu_cores,omitzero"`
	ResidentBytes Value `json:"resident_bytes,omitzero"`
	Threads       Value `json:"threads,omitzero"`
	// Connections are established TCP sockets, OpenFiles all file descriptors.
	Connections Value `json:"connections,omitzero"`
	OpenFiles   Value `json:"open_files,omitzero"`
	// Read and write calls as /proc/PID/io counts them: send, recv and epoll are not among
	// them. Go's net package uses read and write for TCP.
	ReadCallsPerSec  Value `json:"read_calls_per_sec,omitzero"`
	WriteCallsPerSec Value `json:"write_calls_per_sec,omitzero"`
	// Context switches of all threads: voluntary ones wait for something, involuntary ones
	// were sent off the CPU.
	VoluntaryPerSec   Value `json:"voluntary_switches_per_sec,omitzero"`
	InvoluntaryPerSec Value `json:"involuntary_switches_per_sec,omitzero"`
}

// Runtime is what Go's runtime says of itself.
type Runtime struct {
	// HeapBytes is the heap in use, garbage that was not swept yet included, HeapLiveBytes
	// what the last collection marked, HeapGoalBytes the size at which the next one ends.
	HeapBytes     Value `json:"heap_bytes,omitzero"`
	HeapLiveBytes Value `json:"heap_live_bytes,omitzero"`
	HeapGoalBytes Value `json:"heap_goal_bytes,omitzero"`
	// GCShare is the collector's part of the CPU time that was used, 0 to 1, from one
	// collection to the next. GCShareOfAvailable is its part of the CPU time that the program
	// could have had (GOMAXPROCS times wall time), GCShareSinceStart the same since the start
	// of the program: slow to move, but all that runtime.MemStats alone can tell.
	GCShare            Value `json:"gc_share,omitzero"`
	GCShareOfAvailable Value `json:"gc_share_of_available,omitzero"`
	GCShareSinceStart  Value `json:"gc_share_since_start,omitzero"`
	GCCyclesPerSec     Value `json:"gc_cycles_per_sec,omitzero"`
	// GCPauseP99Seconds is of the stop-the-world pauses of the last minute: single
	// readings have too few of them.
	GCPauseP99Seconds Value `json:"gc_pause_p99_seconds,omitzero"`
	AllocBytesPerSec  Value `json:"alloc_bytes_per_sec,omitzero"`
	Goroutines        Value `json:"goroutines,omitzero"`
}

// Rate is what a counter of the service did.
type Rate struct {
	Name   string  `json:"name"`
	PerSec float64 `json:"per_sec"`
}

// Latency is what a histogram of the service saw.
type Latency struct {
	Name       string  `json:"name"`
	PerSec     float64 `json:"per_sec"`
	P50Seconds Value   `json:"p50_seconds,omitzero"`
	P99Seconds Value   `json:"p99_seconds,omitzero"`
}

// Cause is why requests failed, and how many did.
type Cause struct {
	Name  string `json:"name"`
	Count uint64 `json:"count"`
}

// Mark is a moment that the user marked.
type Mark struct {
	At     time.Time `json:"at"`
	Number int       `json:"number"` // from 1
}

// Values lists all values of a reading, for code that treats them alike.
func (r *Reading) Values() []*Value {
	return []*Value{
		&r.RatePerSec, &r.AskedPerSec, &r.ErrorsPerSec,
		&r.LatencyP50Seconds, &r.LatencyP99Seconds, &r.LatencyP999Seconds,
		&r.CPUCores, &r.ResidentBytes, &r.Threads, &r.Connections, &r.OpenFiles,
		&r.ReadCallsPerSec, &r.WriteCallsPerSec, &r.VoluntaryPerSec, &r.InvoluntaryPerSec,
		&r.HeapBytes, &r.HeapLiveBytes, &r.HeapGoalBytes,
		&r.GCShare, &r.GCShareOfAvailable, &r.GCShareSinceStart, &r.GCCyclesPerSec, &r.GCPauseP99Seconds,
		&r.AllocBytesPerSec, &r.Goroutines, &r.GeneratorShare,
	}
}

// Fill takes from another reading of the same moment what r does not have.
func (r *Reading) Fill(from Reading) {
	theirs := from.Values()
	for i, v := range r.Values() {
		*v = v.Or(*theirs[i])
	}
	if r.RateName == "" {
		r.RateName = from.RateName
	}
	if r.LatencyName == "" {
		r.LatencyName = from.LatencyName
	}
	if r.Rates == nil {
		r.Rates = from.Rates
	}
	if r.Latencies == nil {
		r.Latencies = from.Latencies
	}
	if r.Causes == nil {
		r.Causes = from.Causes
	}
}

// Empty says that nothing is known.
func (r *Reading) Empty() bool {
	for _, v := range r.Values() {
		if v.Known() {
			return false
		}
	}
	return len(r.Rates)+len(r.Latencies)+len(r.Causes) == 0
}
