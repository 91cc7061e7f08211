package facts

import (
	"time"

	"github.com/gohone/hone/internal/sys/cgroup"
)

// Numbers are counters of the run and of the machine.
type Numbers struct {
	// CPUNanos is the CPU time per request.
	CPUNanos float64
	Load
	PerRequest
	Heap
	// LatencyP50 and LatencyP99 are those of the timed slices.
	LatencyP50, LatencyP99 time.Duration
	Processors
	// Growth is how sizes moved over the timed slices.
	Growth Growth
}

// Load is what was asked of the program, and answered.
type Load struct {
	// RateHz is how many requests were answered in a second.
	RateHz float64
	// Requests is how many were answered, Unanswered how many were not.
	Requests, Unanswered uint64
	// OpenLoop says that requests were sent at fixed times, and not each after an answer.
	OpenLoop bool
	// Connections and Depth are those of the load; Connections is 0 for a program that ends by itself.
	Connections, Depth int
}

// PerRequest is what a request takes of system calls and memory.
type PerRequest struct {
	// Reads and Writes are read and write calls, Allocs and AllocBytes what is allocated.
	Reads, Writes, Allocs, AllocBytes float64
	// ReadBytes and WriteBytes went through these calls; 0 in runs of an earlier hone, which did not count them.
	ReadBytes, WriteBytes float64
}

// Heap is the program's memory, and the collector's work on it.
type Heap struct {
	// Cycles is how many cycles of the collector ended in Time.
	Cycles uint64
	Time   time.Duration
	// HeapLive and HeapGoal are the largest that were seen, Resident what was resident at the end, in bytes.
	HeapLive, HeapGoal, Resident uint64
}

// Processors are those that the program could use, and who else did.
type Processors struct {
	// MaxProcs is GOMAXPROCS, CPUs how many processors the program could use.
	MaxProcs, CPUs int
	// Disturbed says that other programs had the processors during the trace, or during most slices: waits are then
	// longer than the program makes them.
	Disturbed bool `json:",omitempty"`
	// Box is nil where the program had all of the machine.
	Box *Box `json:",omitempty"`
}

// Box is what a program could use in a control group of its own, and what came of it.
type Box struct {
	cgroup.Limits
	// Throttled is the part of the time in which it was held back, 0 to 1.
	Throttled float64
	// PeakMemory is the most that was in use, MemoryLimit what GOMEMLIMIT says, bytes; 0 is not known, or not set.
	PeakMemory, MemoryLimit int64
}

// mostOfLimit is the part of a memory limit that the heap may grow to.
const mostOfLimit = 0.6

// Fits says whether a heap of so many bytes has room within the limits of memory; nil and no limit: it has.
func (b *Box) Fits(heap float64) bool {
	if b == nil {
		return true
	}
	for _, limit := range []int64{b.Memory, b.MemoryLimit} {
		if limit > 0 && heap > mostOfLimit*float64(limit) {
			return false
		}
	}
	return true
}

// TightHeap says whether the heap may grow by less than 60 % of what is live, or to less than 3.5 MB, before the
// collector starts again: GOGC, or a memory limit, is set so. The runtime's own choice is 100 %, and 4 MB at least
// (runtime/mgcpacer.go, heapMinimum).
func (n Heap) TightHeap() bool {
	return n.HeapGoal > 0 && n.HeapGoal < max(7<<19, n.HeapLive+n.HeapLive*3/5)
}
