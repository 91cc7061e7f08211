package goruntime

import (
	"runtime/metrics"
	"strings"

	"github.com/prometheus/common/model"
)

// known is what hone knows about a metric of runtime/metrics besides its value.
type known struct {
	// base is its name for Prometheus, without the _total of a counter; "" if it can have
	// none.
	base, help string
	cumulative bool
	// estimate is a counter that is not a whole number and may go back by a little.
	estimate bool
	// bounds are those of the buckets that Prometheus gets to see, ascending, of a histogram.
	// The last is +Inf; the first is the lower bound of the first bucket.
	bounds []float64
}

// knownMetrics are all metrics of the release that hone itself is built with.
func knownMetrics() map[string]known {
	all := metrics.All()
	samples := make([]metrics.Sample, len(all))
	for i, d := range all {
		samples[i].Name = d.Name
	}
	metrics.Read(samples) // the boundaries of histograms stand in their values only
	byName := make(map[string]known, len(all))
	for i, d := range all {
		k := known{
			base:       baseName(d.Name),
			help:       d.Description + " Sourced from " + d.Name + ".",
			cumulative: d.Cumulative,
			estimate:   d.Cumulative && d.Kind == metrics.KindFloat64,
		}
		if d.Kind == metrics.KindFloat64Histogram {
			k.bounds = coarseBounds(samples[i].Value.Float64Histogram().Buckets, unitOf(d.Name))
		}
		byName[d.Name] = k
	}
	return byName
}

// lookUp returns what is known about a metric, or what its name suggests if the program
// runs on another Go release than hone.
//
// The kind of a number is not in its value. By the names that runtime/metrics has had so
// far, what counts things that happen (allocs, frees, calls, cycles, events, created,
// queued, executed) or time that passes (cpu-seconds, seconds in total) is a counter, and
// all else a gauge. In doubt it is a gauge, since rate() works on gauges as well.
//
// The boundaries of a histogram are not in it either, as empty buckets are left out. The
// runtime has one set of them for all times and one for all sizes of objects; for anything
// else the histogram is left out.
func (c *Collector) lookUp(name string) known {
	k, ok := c.known[name]
	if ok {
		return k
	}
	k = known{
		base:       baseName(name),
		help:       "Metric of another Go release than hone's. Sourced from " + name + ".",
		cumulative: soundsCumulative(name),
	}
	switch unitOf(name) {
	case "seconds":
		k.bounds = c.known["/sched/latencies:seconds"].bounds
	case "bytes":
		k.bounds = c.known["/gc/heap/allocs-by-size:bytes"].bounds
	}
	c.known[name] = k
	return k
}

func soundsCumulative(name string) bool {
	path, unit, _ := strings.Cut(name, ":")
	last := path[strings.LastIndexByte(path, '/')+1:]
	switch unit {
	case "calls", "cpu-seconds", "gc-cycles", "events":
		return true
	case "seconds":
		return last == "total"
	}
	switch last {
	case "allocs", "frees", "queued", "executed", "created":
		return true
	}
	return strings.HasSuffix(last, "-created")
}

// unitOf is the part of a name after the colon.
func unitOf(name string) string {
	_, unit, _ := strings.Cut(name, ":")
	return unit
}

// baseName makes a name for Prometheus as client_golang does: "/gc/heap/allocs:bytes" is
// go_gc_heap_allocs_bytes. It is "" where client_golang has none: names of a single part, and
// characters that Prometheus did not allow from the beginning.
func baseName(name string) string {
	path, unit, ok := strings.Cut(name, ":")
	path, rooted := strings.CutPrefix(path, "/")
	if !ok || !rooted || !strings.Contains(path, "/") {
		return ""
	}
	path = strings.NewReplacer("/", "_", "-", "_").Replace(path)
	unit = strings.NewReplacer("-", "_", "*", "_", "/", "_per_").Replace(unit)
	full := "go_" + path + "_" + unit
	if !model.LegacyValidation.IsValidMetricName(full) {
		return ""
	}
	return full
}
