package compare

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/fail"
)

// otherNames are words that people and other tools have for the measures, with the keys
// they may mean, the first one known counts.
var otherNames = map[string][]string{
	"time": {"time", "ns", "sec/op", "cpu"}, "ns": {"time", "sec/op", "cpu"}, "ns/op": {"time", "ns", "sec/op", "cpu"},
	"sec": {"time", "sec/op", "cpu"}, "cpu_time": {"cpu"}, "cputime": {"cpu"}, "cpu/op": {"cpu"}, "cpu-ns/op": {"cpu"},
	"latency": {"p99"}, "median": {"p50"}, "tail": {"p99"}, "p999": {"p99.9"}, "p99_9": {"p99.9"},
	"p75": {"p90"}, "p95": {"p90"}, "p98": {"p99"}, "max": {"p99.9"}, "p9999": {"p99.9"}, "p99.99": {"p99.9"},
	"mem": {"rss", "bytes"}, "memory": {"rss", "bytes"}, "peak": {"rss"}, "heap": {"bytes"},
	"alloc": {"allocs"}, "allocations": {"allocs"}, "mallocs": {"allocs"}, "objects": {"allocs"}, "allocs/op": {"allocs"},
	"b": {"bytes"}, "b/op": {"bytes"}, "size": {"bytes"},
	"rps": {"rate"}, "qps": {"rate"}, "tps": {"rate"}, "throughput": {"rate"}, "requests": {"rate"}, "rate_hz": {"rate"},
	"syscalls": {"reads"}, "read": {"reads"}, "write": {"writes"},
}

// measureOf finds a measure by its key. Errors have hints and no position.
func measureOf(name string, known []Measure) (Measure, *fail.Error) {
	lower := strings.ToLower(name)
	var names []string
	for _, m := range known {
		if strings.ToLower(m.Key) == lower {
			return m, nil
		}
		names = append(names, m.Key)
	}
	guess := ""
	for _, key := range otherNames[lower] {
		if guess == "" && slices.Contains(names, key) {
			guess = key
		}
	}
	if guess == "" {
		guess = fail.Nearest(lower, names)
	}
	err := fail.New(fail.BadInput, "unknown measure %q", name)
	if guess == "" {
		return Measure{}, err.WithHint("known are %s", keys(known))
	}
	return Measure{}, err.WithHint("did you mean %q? known are %s", guess, keys(known))
}

// keys lists the keys of measures.
func keys(known []Measure) string {
	var all []string
	for _, m := range known {
		all = append(all, m.Key)
	}
	return strings.Join(all, ", ")
}
