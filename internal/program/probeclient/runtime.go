package probeclient

import (
	"context"
	"math"
	"slices"
	"time"
)

// Runtime is the handful of runtime metrics that reports show. Counters run from the
// start of the program; Sub makes them the counts of a stretch.
type Runtime struct {
	// Counters.
	GCCycles     uint64 `json:"gc_cycles"`
	AllocBytes   uint64 `json:"alloc_bytes"`
	AllocObjects uint64 `json:"alloc_objects"` // as runtime.MemStats.Mallocs counts them
	// Pauses are the stop-the-world pauses of collections, in seconds, Waits how long
	// goroutines that could run waited for a processor; nil if the release has none.
	Pauses Histogram `json:"-"`
	Waits  Histogram `json:"-"`
	// CPU is the runtime's own estimate of where CPU time went, brought up to date at
	// the end of each collection only. Total is GOMAXPROCS times wall time.
	CPU CPUClasses `json:"cpu"`

	// Values of the moment.
	HeapLiveBytes   uint64 `json:"heap_live_bytes"`   // marked by the last collection
	HeapGoalBytes   uint64 `json:"heap_goal_bytes"`   // heap size at which the next one ends
	HeapObjectBytes uint64 `json:"heap_object_bytes"` // live objects and garbage not yet swept
	Goroutines      uint64 `json:"goroutines"`        // the probe's two in each process included
	GOMAXPROCS      uint64 `json:"gomaxprocs"`
	// GOGC is in per cent, and NoGOGC where the collector is off; MemoryLimit is GOMEMLIMIT in bytes. Both are of the
	// process that has the most, as the runtime has them now: a program may set them itself. 0 before Go 1.21.
	GOGC        uint64 `json:"gogc,omitempty"`
	MemoryLimit uint64 `json:"memory_limit_bytes,omitempty"`

	// Processes is how many processes these are the sums of; 0 where it was not counted.
	Processes int `json:"processes,omitempty"`

	// Missing names the metrics that the subject's Go release does not have; their
	// fields are zero and mean nothing.
	Missing []string `json:"missing,omitempty"`
}

// NoGOGC is the GOGC of a collector that is off, and the GOMEMLIMIT of a program without one, or more.
const NoGOGC, NoMemoryLimit = math.MaxUint64, math.MaxInt64

// CPUClasses are CPU times by use; new in Go 1.20.
type CPUClasses struct {
	Total    time.Duration `json:"total_ns"`
	User     time.Duration `json:"user_ns"`
	Idle     time.Duration `json:"idle_ns"`
	GC       time.Duration `json:"gc_ns"` // assist, dedicated and idle-time marking, pauses
	GCAssist time.Duration `json:"gc_assist_ns"`
	GCPause  time.Duration `json:"gc_pause_ns"` // GOMAXPROCS times the length of the pauses
	Scavenge time.Duration `json:"scavenge_ns"`
}

// plus is c and so many times o.
func (c CPUClasses) plus(times time.Duration, o CPUClasses) CPUClasses {
	return CPUClasses{
		Total: c.Total + times*o.Total, User: c.User + times*o.User, Idle: c.Idle + times*o.Idle,
		GC: c.GC + times*o.GC, GCAssist: c.GCAssist + times*o.GCAssist, GCPause: c.GCPause + times*o.GCPause,
		Scavenge: c.Scavenge + times*o.Scavenge,
	}
}

// runtimeFields says which metric fills which field, by its name in Go 1.22 and newer.
var runtimeFields = []struct {
	name string
	set  func(*Runtime, Metric)
}{
	{"/gc/cycles/total:gc-cycles", func(r *Runtime, m Metric) { r.GCCycles = m.Uint64 }},
	{"/gc/heap/allocs:bytes", func(r *Runtime, m Metric) { r.AllocBytes = m.Uint64 }},
	{"/gc/heap/allocs:objects", func(r *Runtime, m Metric) { r.AllocObjects += m.Uint64 }},
	{"/gc/heap/tiny/allocs:objects", func(r *Runtime, m Metric) { r.AllocObjects += m.Uint64 }},
	{pausesMetric, func(r *Runtime, m Metric) { r.Pauses = m.Histogram }},
	{"/sched/latencies:seconds", func(r *Runtime, m Metric) { r.Waits = m.Histogram }},
	{"/gc/heap/live:bytes", func(r *Runtime, m Metric) { r.HeapLiveBytes = m.Uint64 }},
	{"/gc/heap/goal:bytes", func(r *Runtime, m Metric) { r.HeapGoalBytes = m.Uint64 }},
	{"/memory/classes/heap/objects:bytes", func(r *Runtime, m Metric) { r.HeapObjectBytes = m.Uint64 }},
	{"/sched/goroutines:goroutines", func(r *Runtime, m Metric) { r.Goroutines = m.Uint64 }},
	{"/sched/gomaxprocs:threads", func(r *Runtime, m Metric) { r.GOMAXPROCS = m.Uint64 }},
	{"/gc/gogc:percent", func(r *Runtime, m Metric) { r.GOGC = m.Uint64 }},
	{"/gc/gomemlimit:bytes", func(r *Runtime, m Metric) { r.MemoryLimit = m.Uint64 }},
	{"/cpu/classes/total:cpu-seconds", func(r *Runtime, m Metric) { r.CPU.Total = seconds(m) }},
	{"/cpu/classes/user:cpu-seconds", func(r *Runtime, m Metric) { r.CPU.User = seconds(m) }},
	{"/cpu/classes/idle:cpu-seconds", func(r *Runtime, m Metric) { r.CPU.Idle = seconds(m) }},
	{"/cpu/classes/gc/total:cpu-seconds", func(r *Runtime, m Metric) { r.CPU.GC = seconds(m) }},
	{"/cpu/classes/gc/mark/assist:cpu-seconds", func(r *Runtime, m Metric) { r.CPU.GCAssist = seconds(m) }},
	{"/cpu/classes/gc/pause:cpu-seconds", func(r *Runtime, m Metric) { r.CPU.GCPause = seconds(m) }},
	{"/cpu/classes/scavenge/total:cpu-seconds", func(r *Runtime, m Metric) { r.CPU.Scavenge = seconds(m) }},
}

// The pauses were called otherwise before Go 1.22; the old name still answers.
const (
	pausesMetric    = "/sched/pauses/total/gc:seconds"
	pausesMetricOld = "/gc/pauses:seconds"
)

func seconds(m Metric) time.Duration { return time.Duration(m.Value * float64(time.Second)) }

// Runtime reads just the metrics that it needs; see RuntimeMetrics.
func (p *Probe) Runtime(ctx context.Context) (Runtime, error) {
	m, err := p.RuntimeMetrics(ctx)
	if err != nil {
		return Runtime{}, err
	}
	return m.Runtime(), nil
}

// RuntimeMetrics reads the metrics that a Runtime is made of: an answer of about 2 kB, so
// that readings between slices add little to what the subject allocates. more are read as well.
func (p *Probe) RuntimeMetrics(ctx context.Context, more ...string) (Metrics, error) {
	names := append([]string{pausesMetricOld}, more...)
	for _, f := range runtimeFields {
		names = append(names, f.name)
	}
	slices.Sort(names)
	return p.Metrics(ctx, slices.Compact(names)...)
}

// Runtime picks the handful out of all metrics.
func (m Metrics) Runtime() Runtime {
	var r Runtime
	for _, f := range runtimeFields {
		value, found := m[f.name]
		if !found && f.name == pausesMetric {
			value, found = m[pausesMetricOld]
		}
		if !found {
			r.Missing = append(r.Missing, f.name)
			continue
		}
		f.set(&r, value)
	}
	return r
}

// Sub returns r with its counters counted from an earlier reading of the same process;
// values of the moment stay as they are.
func (r Runtime) Sub(earlier Runtime) Runtime {
	r.GCCycles -= earlier.GCCycles
	r.AllocBytes -= earlier.AllocBytes
	r.AllocObjects -= earlier.AllocObjects
	r.Pauses, r.Waits = r.Pauses.Sub(earlier.Pauses), r.Waits.Sub(earlier.Waits)
	r.CPU = r.CPU.plus(-1, earlier.CPU)
	return r
}

// Add returns what happened in two stretches together; of the values of the moment it has
// the larger.
func (r Runtime) Add(next Runtime) Runtime {
	r.GCCycles += next.GCCycles
	r.AllocBytes += next.AllocBytes
	r.AllocObjects += next.AllocObjects
	r.Pauses, r.Waits = r.Pauses.Add(next.Pauses), r.Waits.Add(next.Waits)
	r.CPU = r.CPU.plus(1, next.CPU)
	r.HeapLiveBytes = max(r.HeapLiveBytes, next.HeapLiveBytes)
	r.HeapGoalBytes = max(r.HeapGoalBytes, next.HeapGoalBytes)
	r.HeapObjectBytes = max(r.HeapObjectBytes, next.HeapObjectBytes)
	r.Goroutines = max(r.Goroutines, next.Goroutines)
	r.GOMAXPROCS = max(r.GOMAXPROCS, next.GOMAXPROCS)
	r.GOGC, r.MemoryLimit = max(r.GOGC, next.GOGC), max(r.MemoryLimit, next.MemoryLimit)
	r.Processes = max(r.Processes, next.Processes)
	r.Missing = next.Missing
	return r
}
