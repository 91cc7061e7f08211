// Package metricname reads the names of Prometheus' metrics and of their labels: whether a
// metric is about the program itself, how much it sounds like the work of a service, in which
// unit it counts, and which values of labels stand for failures. It reads the pages that have them, too.
package metricname

import (
	"slices"
	"strings"
)

// statusLabels are labels whose values are statuses of HTTP.
var statusLabels = []string{"code", "status", "status_code", "http_status_code", "http_response_status_code"}

// grpcLabel is the label whose value is a code of gRPC, by name.
const grpcLabel = "grpc_code"

// Failure says that a label counts requests that went wrong at the service.
func Failure(label, value string) bool {
	if slices.Contains(statusLabels, label) {
		return len(value) == 3 && value[0] == '5' || value == "5xx"
	}
	return label == grpcLabel && value != "" && value != "OK"
}

// FailureMatcher is the matcher in PromQL for the series that Failure is true of, for a label
// that has such values; "" for another label.
func FailureMatcher(label string) string {
	switch {
	case slices.Contains(statusLabels, label):
		return label + `=~"5.."` // 5xx is written with three letters, too
	case label == grpcLabel:
		return label + `!~"OK|"`
	}
	return ""
}

// AboutItself are metrics of the runtime, the process and of the scrapes.
func AboutItself(name string) bool {
	for _, prefix := range []string{"go_", "process_", "promhttp_", "scrape_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// Amount says that a name is of a counter of amounts, not of things that happen.
func Amount(name string) bool {
	for _, unit := range []string{"_seconds_total", "_bytes_total", "_seconds_sum", "_bytes_sum"} {
		if strings.HasSuffix(name, unit) {
			return true
		}
	}
	return false
}

// Score says how much a name sounds like the work that a service is for.
func Score(name string) int {
	n := 0
	for _, w := range []struct {
		word string
		adds int
	}{
		{"request", 4}, {"rpc", 4}, {"http_server", 4}, {"answered", 1},
		{"handled", 2}, {"served", 2}, {"processed", 2}, {"quer", 2}, {"message", 2}, {"command", 2}, {"operation", 2},
		{"job", 2}, {"event", 1},
		{"error", -6}, {"fail", -6}, {"drop", -6}, {"retry", -6}, {"retries", -6}, {"timeout", -6}, {"reject", -6},
		{"panic", -6}, {"client", -1}, {"in_flight", -6},
	} {
		if strings.Contains(name, w.word) {
			n += w.adds
		}
	}
	return n
}

// Failures says that a name is of a counter of things that went wrong.
func Failures(name string) bool {
	for _, word := range []string{"error", "fail", "panic", "timeout", "reject", "drop"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// durations are the units of time that names end in and that UNIT lines of OpenMetrics have, in seconds.
var durations = map[string]float64{
	"nanoseconds": 1e-9, "ns": 1e-9, "microseconds": 1e-6, "us": 1e-6, "milliseconds": 1e-3, "millis": 1e-3, "ms": 1e-3,
	"seconds": 1, "minutes": 60, "hours": 3600,
}

// DurationUnit is the unit of a histogram of durations in seconds, 0 for other histograms: the one that its page
// declares, if any, else by its name.
func DurationUnit(name, declared string) float64 {
	if declared != "" {
		return durations[declared]
	}
	name = strings.TrimSuffix(name, "_histogram")
	if at := strings.LastIndexByte(name, '_'); durations[name[at+1:]] > 0 && at > 0 {
		return durations[name[at+1:]]
	}
	if strings.Contains(name, "duration") || strings.Contains(name, "latency") {
		return 1 // the base unit of Prometheus
	}
	return 0
}
