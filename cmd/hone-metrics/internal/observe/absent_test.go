package observe

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// namesAt is a page of metrics.
func namesAt(t *testing.T, page string) string {
	t.Helper()
	response, err := http.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// mayBeAbsent are metrics that a target may have or not, and why. What is not here must
// be there.
var mayBeAbsent = map[string]string{
	"node_pressure_":            "the kernel has no pressure stall information, or does not show it here",
	"node_filesystem_":          "a container has no file system but its own",
	"node_disk_":                "the machine shows no disks",
	"process_read_calls_total":  "only hone counts system calls",
	"process_write_calls_total": "only hone counts system calls",
	"process_context_switches_": "only hone counts a process' context switches",
	"go_cpu_classes_":           "the default collector does not show it",
	"instance:go_collector_cpu": "it follows from go_cpu_classes_, which the default collector does not show",
	"go_gc_heap_":               "the default collector does not show it",
	"go_sched_latencies_":       "the default collector does not show it",
	"go_sched_pauses_":          "the default collector has a summary without it",
	"go_sync_mutex_wait_":       "the default collector does not show it",
}

// absentAt says whether an expression cannot have an answer, since no target has one of
// its metrics and that is one that may be absent.
func absentAt(t *testing.T, e Expression, pages []string) (why string, absent bool) {
	t.Helper()
	expr := e.Resolved("", "", "", time.Minute)
	if strings.Contains(expr, " or ") {
		return "", false // the other side has to be there
	}
	names := map[string]bool{}
	metricNames(t, expr, names)
	for name := range names {
		for prefix, reason := range mayBeAbsent {
			if !strings.HasPrefix(name, prefix) {
				continue
			}
			there := false
			for _, page := range pages {
				there = there || strings.Contains(page, "\n"+name)
			}
			if !there {
				return name + ": " + reason, true
			}
		}
	}
	return "", false
}
