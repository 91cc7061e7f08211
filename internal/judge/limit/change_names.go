package limit

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// measureSynonyms are words that people and other tools have for the measures, with the keys
// they may mean, the first one known counts.
var measureSynonyms = map[string][]string{
	"time": {"time", "ns", "sec/op", "cpu"}, "ns": {"time", "sec/op", "cpu"}, "ns/op": {"time", "ns", "sec/op", "cpu"},
	"sec": {"time", "sec/op", "cpu"}, "cpu_time": {"cpu"}, "cputime": {"cpu"}, "cpu/op": {"cpu"}, "cpu-ns/op": {"cpu"},
	"latency": {"p99"}, "median": {"p50"}, "tail": {"p99"}, "p999": {"p99.9"}, "p99_9": {"p99.9"},
	"p75": {"p90"}, "p95": {"p90"}, "p98": {"p99"}, "max": {"p99.9"}, "p9999": {"p99.9"}, "p99.99": {"p99.9"},
	"mem": {"rss", "bytes"}, "memory": {"rss", "bytes"}, "peak": {"rss"}, "heap": {"bytes"},
	"alloc": {"allocs"}, "allocations": {"allocs"}, "mallocs": {"allocs"}, "objects": {"allocs"},
	"allocs/op": {"allocs"},
	"b":         {"bytes"}, "b/op": {"bytes"}, "size": {"bytes"},
	"rps": {"rate"}, "qps": {"rate"}, "tps": {"rate"}, "throughput": {"rate"}, "requests": {"rate"},
	"rate_hz": {"rate"},
	"ttfb":    {"ttfb-p99"}, "messages": {"messages/s"}, "events": {"messages/s"}, "events/s": {"messages/s"},
	"syscalls": {"reads"}, "read": {"reads"}, "write": {"writes"},
}

// measureOf finds the place of a measure by its key. Errors have hints and no position.
func (g grammar) measureOf(name string, known []Measure) (int, *fail.Error) {
	lower, names := strings.ToLower(name), keys(known)
	if i := slices.IndexFunc(known, func(m Measure) bool { return strings.ToLower(m.Key) == lower }); i >= 0 {
		return i, nil
	}
	for _, key := range measureSynonyms[lower] {
		if slices.Contains(names, key) {
			return 0, g.unknown(name, key)
		}
	}
	return 0, g.unknown(name, fail.Nearest(lower, names))
}

// keys lists the keys of measures.
func keys(known []Measure) []string {
	var all []string
	for _, m := range known {
		if m.OfFunction {
			all = append(all, m.Key+"(PACKAGE.NAME)")
			continue
		}
		all = append(all, m.Key)
	}
	return all
}
