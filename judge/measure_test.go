package judge

// The measures of these tests: one of each level, and of each direction.
var (
	cpu        = Measure{Key: "cpu", Name: "CPU per request", Unit: "ns", Better: Lower, Level: PerSlice}
	throughput = Measure{Key: "rate", Name: "throughput", Unit: "requests/s", Better: Higher, Level: PerSlice, Floor: 1}
	allocs     = Measure{Key: "allocs", Name: "allocations per request", Unit: "allocs", Better: Lower, Level: PerStart, Floor: 0.01}
	memory     = Measure{Key: "rss", Name: "peak resident memory", Unit: "B", Better: Lower, Level: PerStart}
)

// latency is a percentile of the latency.
func latency(q float64) Measure {
	return Measure{Key: "latency", Name: "latency", Unit: "ns", Better: Lower, Level: Pooled, Quantile: q}
}
