// Package measure is the catalogue of what hone observes, with units: of programs under load (All), of executions
// (OfExecutions) and of benchmarks (OfBenchmarks, OfInstructions).
package measure

import (
	"strings"

	"github.com/gohone/hone/judge"
)

// The measures that other packages refer to by name.
var (
	// CPU is the gated measure: the CPU clock of the process is in nanoseconds and,
	// unlike wall time, hardly sees who else uses the machine.
	CPU = judge.Measure{Key: "cpu", Name: "CPU per request", Unit: "ns", Better: judge.Lower, Level: judge.PerSlice}

	// Throughput of a slice in which the service stood still is 0; such a slice is
	// kept, as 1 request/s.
	Throughput = judge.Measure{Key: "rate", Name: "throughput", Unit: "requests/s", Better: judge.Higher,
		Level: judge.PerSlice, Floor: 1}

	// Messages are those of streams (load.Counts.Messages); a slice without any has none of this measure.
	Messages = judge.Measure{Key: "messages/s", Name: "messages of streams", Unit: "messages/s", Better: judge.Higher,
		Level: judge.PerSlice, Floor: 1}

	// The floors of the allocation measures are what a process allocates behind a
	// busy service's back: the runtime and the probe, spread over the requests.
	Allocs = judge.Measure{Key: "allocs", Name: "allocations per request", Unit: "allocs", Better: judge.Lower,
		Level: judge.PerStart, Floor: 0.01}
	Bytes = judge.Measure{Key: "bytes", Name: "allocated per request", Unit: "B", Better: judge.Lower,
		Level: judge.PerStart, Floor: 1}

	// The calls are read, write and their relatives as /proc/PID/io counts them: recv and
	// send are not among them. Their floor is one in a thousand requests.
	ReadCalls = judge.Measure{Key: "reads", Name: "read calls (not recv) per request", Unit: "calls",
		Better: judge.Lower, Level: judge.PerStart, Floor: 0.001}
	WriteCalls = judge.Measure{Key: "writes", Name: "write calls (not send) per request", Unit: "calls",
		Better: judge.Lower, Level: judge.PerStart, Floor: 0.001}

	// The peak holds what starting took; what stays under load is read at its end.
	PeakRSS = judge.Measure{Key: "rss", Name: "peak resident memory", Unit: "B", Better: judge.Lower,
		Level: judge.PerStart}
	Resident = judge.Measure{Key: "resident", Name: "resident memory", Unit: "B", Better: judge.Lower,
		Level: judge.PerStart}

	// What a program keeps of each request, from before the timed load of a start to after it: of the heap what a
	// collection leaves. The floors are far below what a leak keeps.
	HeapGrowth = judge.Measure{Key: "growth", Name: "heap gained per request", Unit: "B", Better: judge.Lower,
		Level: judge.PerStart, Floor: 1}
	GoroutineGrowth = judge.Measure{Key: "goroutines", Name: "goroutines kept per request", Unit: "goroutines",
		Better: judge.Lower, Level: judge.PerStart, Floor: 0.0001}
	DescriptorGrowth = judge.Measure{Key: "descriptors", Name: "descriptors kept per request", Unit: "descriptors",
		Better: judge.Lower, Level: judge.PerStart, Floor: 0.0001}

	// Throttled is the part of the time of the load in which the quota of a box held a program back. The floor is one
	// slice in a hundred.
	Throttled = judge.Measure{Key: "throttled", Name: "time throttled", Unit: "%", Better: judge.Lower,
		Level: judge.PerStart, Floor: 1}

	// Start is the time from the beginning of a process until it listens, which is seen by looks a millisecond apart at
	// least.
	Start = judge.Measure{Key: "start", Name: "time to start", Unit: "ns", Better: judge.Lower, Level: judge.PerStart,
		Floor: 1e6}
)

// All are all that hone compares, the gated one first. A block need not show
// all of them. To add one, add it here and its Key to the samples.
var All = []judge.Measure{
	CPU,
	Throughput,
	Percentile("p50", 0.5),
	Percentile("p90", 0.9),
	Percentile("p99", 0.99),
	Percentile("p99.9", 0.999),
	FirstByte("ttfb-p50", 0.5),
	FirstByte("ttfb-p99", 0.99),
	Messages,
	Allocs,
	Bytes,
	ReadCalls,
	WriteCalls,
	PeakRSS,
	Resident,
	Throttled,
	Start,
	HeapGrowth,
	GoroutineGrowth,
	DescriptorGrowth,
}

// OfGrowth says that a measure is of what a program keeps: most programs keep nothing.
func OfGrowth(m judge.Measure) bool {
	return m.Key == HeapGrowth.Key || m.Key == GoroutineGrowth.Key || m.Key == DescriptorGrowth.Key
}

// Percentile is one of the latency of answers, q from 0 to 1.
func Percentile(key string, q float64) judge.Measure {
	return judge.Measure{Key: key, Name: key + " latency", Unit: "ns", Better: judge.Lower, Level: judge.Pooled,
		Quantile: q}
}

// FirstByte is a percentile of the time to the first byte of answers that are streams.
func FirstByte(key string, q float64) judge.Measure {
	m := Percentile(key, q)
	m.Name, m.FirstByte = strings.TrimPrefix(key, "ttfb-")+" time to first byte", true
	return m
}

// OfOpenLoop are the measures that the users of a service feel at a given rate: whether it keeps up, and how long they
// wait.
var OfOpenLoop = []judge.Measure{Throughput, Percentile("p50", 0.5), Percentile("p99", 0.99)}

// FunctionKey is the key of a measure that is of one function: func(PACKAGE.NAME) in a gate.
const FunctionKey = "func"

// FunctionCPU is what a gate such as func(main.work)<+5% is on: the CPU time of a request in one
// function and all that it calls, from CPU profiles.
var FunctionCPU = judge.Measure{Key: FunctionKey, Name: "CPU per request", Unit: "ns", Better: judge.Lower,
	Level: judge.PerStart}

// OfFunction is a measure of one function, where m is that of functions in general.
func OfFunction(m judge.Measure, name string) judge.Measure {
	m.Key = FunctionKey + "(" + name + ")"
	m.Name += " in " + name + " and what it calls"
	return m
}

// OfTarget is the measure, a percentile of the latency, of the target with a name.
func OfTarget(m judge.Measure, name string) judge.Measure {
	m.Key, m.Name, m.Target = m.Key+"{"+name+"}", m.Name+" of "+name, name
	return m
}

// OfStreams says that only answers that are streams show the measure.
func OfStreams(m judge.Measure) bool { return m.FirstByte || m.Key == Messages.Key }
