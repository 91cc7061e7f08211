package goruntime

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/gohone/hone/internal/program/probeclient"
)

// derivedMetric is a metric that client_golang's Go collector has shown since before there
// was runtime/metrics, as a sum of values that are in there now.
type derivedMetric struct {
	name, help string
	kind       prometheus.ValueType
	sum        []string
}

// value is the sum, false if the program does not have all of it.
func (d derivedMetric) value(metrics probeclient.Metrics) (float64, bool) {
	var total uint64
	for _, name := range d.sum {
		m, ok := metrics[name]
		if !ok {
			return 0, false
		}
		total += m.Uint64
	}
	return float64(total), true
}

// derived are the metrics of that kind. Which values make up which is in the documentation
// of runtime.MemStats and of client_golang's collectors.WithGoCollectorMemStatsMetricsDisabled.
var derived = []derivedMetric{
	{"go_goroutines", "Number of goroutines that currently exist.", gauge, []string{"/sched/goroutines:goroutines"}},
	{"go_threads", "Number of OS threads of the Go runtime.", gauge, []string{"/sched/threads/total:threads"}},

	{"go_memstats_alloc_bytes", "Bytes of heap in use by objects, also those not yet found to be dead.", gauge,
		heapObjects},
	{"go_memstats_alloc_bytes_total", "Bytes of heap allocated until now, freed or not.", counter,
		[]string{"/gc/heap/allocs:bytes"}},
	{"go_memstats_mallocs_total", "Objects allocated until now, freed or not.", counter,
		[]string{"/gc/heap/allocs:objects", tinyAllocs}},
	{"go_memstats_frees_total", "Objects freed until now.", counter, []string{"/gc/heap/frees:objects", tinyAllocs}},
	{"go_memstats_next_gc_bytes", "Size of the heap at which the next collection is to end.", gauge,
		[]string{"/gc/heap/goal:bytes"}},

	{"go_memstats_heap_alloc_bytes", "Bytes of heap in use by objects, same as go_memstats_alloc_bytes.", gauge,
		heapObjects},
	{"go_memstats_heap_inuse_bytes", "Bytes of heap in spans that have an object.", gauge, heapInuse},
	{"go_memstats_heap_idle_bytes", "Bytes of heap in spans without an object.", gauge, heapIdle},
	{"go_memstats_heap_released_bytes", "Bytes of heap that were given back to the system.", gauge,
		[]string{"/memory/classes/heap/released:bytes"}},
	{"go_memstats_heap_sys_bytes", "Bytes of heap that the system reserved.", gauge,
		append(heapInuse[:len(heapInuse):len(heapInuse)], heapIdle...)},
	{"go_memstats_heap_objects", "Objects in the heap.", gauge, []string{"/gc/heap/objects:objects"}},

	{"go_memstats_stack_inuse_bytes", "Bytes of stacks of goroutines.", gauge,
		[]string{"/memory/classes/heap/stacks:bytes"}},
	{"go_memstats_stack_sys_bytes", "Bytes of stacks, those of threads included.", gauge,
		[]string{"/memory/classes/heap/stacks:bytes", "/memory/classes/os-stacks:bytes"}},
	{"go_memstats_mspan_inuse_bytes", "Bytes of mspan structures in use.", gauge,
		[]string{"/memory/classes/metadata/mspan/inuse:bytes"}},
	{"go_memstats_mspan_sys_bytes", "Bytes of mspan structures.", gauge,
		[]string{"/memory/classes/metadata/mspan/inuse:bytes", "/memory/classes/metadata/mspan/free:bytes"}},
	{"go_memstats_mcache_inuse_bytes", "Bytes of mcache structures in use.", gauge,
		[]string{"/memory/classes/metadata/mcache/inuse:bytes"}},
	{"go_memstats_mcache_sys_bytes", "Bytes of mcache structures.", gauge,
		[]string{"/memory/classes/metadata/mcache/inuse:bytes", "/memory/classes/metadata/mcache/free:bytes"}},
	{"go_memstats_buck_hash_sys_bytes", "Bytes of the profiler's hash table.", gauge,
		[]string{"/memory/classes/profiling/buckets:bytes"}},
	{"go_memstats_gc_sys_bytes", "Bytes of the collector's own data.", gauge,
		[]string{"/memory/classes/metadata/other:bytes"}},
	{"go_memstats_other_sys_bytes", "Bytes of the system for anything else.", gauge,
		[]string{"/memory/classes/other:bytes"}},
	{"go_memstats_sys_bytes", "Bytes of the system for everything.", gauge, []string{"/memory/classes/total:bytes"}},
}

const (
	gauge   = prometheus.GaugeValue
	counter = prometheus.CounterValue

	// tinyAllocs are objects that shared a block with others. MemStats counts them as
	// allocated and as freed at once, since nothing tells when they are.
	tinyAllocs = "/gc/heap/tiny/allocs:objects"
)

var (
	heapObjects = []string{"/memory/classes/heap/objects:bytes"}
	heapInuse   = []string{"/memory/classes/heap/objects:bytes", "/memory/classes/heap/unused:bytes"}
	heapIdle    = []string{"/memory/classes/heap/released:bytes", "/memory/classes/heap/free:bytes"}
)
