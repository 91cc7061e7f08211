package observe

import "github.com/grafana/grafana-foundation-sdk/go/units"

// allMetrics is what the descriptions say of metrics that client_golang's Go collector
// shows only when it is asked to.
const allMetrics = " Needs client_golang's collector with all runtime metrics (collectors.WithGoCollectorRuntimeMetrics(collectors.MetricsAll)); hone's own recordings have them."

// goBoard watches the runtime of one Go program, by client_golang's names. Where its
// default collector has the same under another name that follows after "or".
func goBoard() board {
	return board{
		uid:    "hone-go-runtime",
		title:  "hone: Go runtime",
		about:  "Goroutines, heap, garbage collector and scheduler of one Go program.",
		anchor: "go_goroutines",
		job:    jobService,
		rows: []row{
			{"Garbage collector", []panel{
				{
					title: "Share of CPU time in the collector", unit: units.PercentUnit, label: "share", limit: gcShareLimit,
					about:   "Of the CPU time that the program used, what the collector took: marking, assists, pauses. Above the dashed line, where the rule GoCollectorShare warns, allocate less: hone profile gc names who allocates." + allMetrics,
					queries: []query{{gcShare(`{@}`, `[@]`), "collector"}},
				},
				{
					title: "Collections", unit: units.CountsPerSecond, label: "collections/s",
					about:   "Collections per second. Many with a small heap: the program allocates fast and keeps little, and a higher GOGC or a GOMEMLIMIT makes them rare.",
					queries: []query{{`rate(go_gc_cycles_total_gc_cycles_total{@}[@]) or rate(go_gc_duration_seconds_count{@}[@])`, "collections"}},
				},
				{
					title: "Pauses", unit: units.Seconds, label: "seconds",
					about: "How long the whole program stood still for the collector. Far below a millisecond is normal; longer means that some goroutine could not be stopped, or that the processors were taken. The default collector tells the median and the longest only.",
					queries: []query{
						{`histogram_quantile(0.5, sum by (le) (rate(go_sched_pauses_total_gc_seconds_bucket{@}[@]))) or max(go_gc_duration_seconds{@,quantile="0.5"})`, "p50"},
						{`histogram_quantile(0.99, sum by (le) (rate(go_sched_pauses_total_gc_seconds_bucket{@}[@])))`, "p99"},
						{`histogram_quantile(1, sum by (le) (rate(go_sched_pauses_total_gc_seconds_bucket{@}[@]))) or max(go_gc_duration_seconds{@,quantile=~"1|1.0"})`, "longest"},
					},
				},
				{
					title: "CPU time by class", unit: units.Short, label: "CPUs", shape: stack,
					about: "What the program's processors did, in processors. assist is work for the collector that goroutines had to do themselves before they could allocate: it is part of their requests' latency. The runtime adds these up at the end of each collection, so a program that collects rarely shows steps." + allMetrics,
					queries: []query{
						{`rate(go_cpu_classes_user_cpu_seconds_total{@}[@])`, "the program's own"},
						{`rate(go_cpu_classes_gc_mark_dedicated_cpu_seconds_total{@}[@])`, "mark, dedicated"},
						{`rate(go_cpu_classes_gc_mark_assist_cpu_seconds_total{@}[@])`, "mark, assist"},
						{`rate(go_cpu_classes_gc_mark_idle_cpu_seconds_total{@}[@])`, "mark, idle CPUs"},
						{`rate(go_cpu_classes_gc_pause_cpu_seconds_total{@}[@])`, "pauses"},
						{`rate(go_cpu_classes_scavenge_total_cpu_seconds_total{@}[@])`, "giving memory back"},
					},
				},
				{
					title: "Allocated bytes", unit: units.BytesPerSecondIEC, label: "bytes/s",
					about:   "Bytes allocated on the heap per second. Divide it by the requests per second to have the bytes of a request; a change to the program should move that, not this alone.",
					queries: []query{{`rate(go_memstats_alloc_bytes_total{@}[@])`, "allocated"}},
				},
				{
					title: "Allocated objects", unit: units.CountsPerSecond, label: "objects/s",
					about:   "Objects allocated on the heap per second. The allocator's own work goes with the objects, the collector's with the bytes that live.",
					queries: []query{{`rate(go_gc_heap_allocs_objects_total{@}[@]) or rate(go_memstats_mallocs_total{@}[@])`, "allocated"}},
				},
			}},
			{"Memory", []panel{
				{
					title: "Heap", unit: units.BytesIEC, label: "bytes",
					about: "Bytes of objects on the heap, the memory that holds them, and the size at which the next collection ends. A saw tooth is normal. Feet that rise from tooth to tooth are a leak, or a cache that still fills.",
					queries: []query{
						{`go_memstats_heap_alloc_bytes{@}`, "objects"},
						{`go_memstats_heap_inuse_bytes{@}`, "in use"},
						{`go_memstats_next_gc_bytes{@}`, "next collection"},
					},
				},
				{
					title: "Lived through the last collection", unit: units.BytesIEC, label: "bytes",
					about:   "What the last collection found alive: the feet of the saw tooth by themselves. If it grows with a steady load, something is kept." + allMetrics,
					queries: []query{{`go_gc_heap_live_bytes{@}`, "live"}},
				},
				{
					title: "Memory of the process", unit: units.BytesIEC, label: "bytes",
					about:   "Resident memory as the kernel sees it. Far above the heap it is stacks, memory not yet given back, or memory that the runtime does not know (cgo, mmap).",
					queries: []query{{`process_resident_memory_bytes{@}`, "resident"}},
				},
			}},
			{"Goroutines and scheduler", []panel{
				{
					title: "Goroutines", unit: units.Short, label: "goroutines",
					about:   "Goroutines that exist. With a goroutine per connection it follows the connections; growth without them is a leak.",
					queries: []query{{`go_goroutines{@}`, "goroutines"}},
				},
				{
					title: "Wait for a processor", unit: units.Seconds, label: "seconds",
					about: "How long goroutines that were ready waited until they ran. A p99 of milliseconds is latency that no profile shows: there is more work than processors." + allMetrics,
					queries: []query{
						{`histogram_quantile(0.5, sum by (le) (rate(go_sched_latencies_seconds_bucket{@}[@])))`, "p50"},
						{`histogram_quantile(0.99, sum by (le) (rate(go_sched_latencies_seconds_bucket{@}[@])))`, "p99"},
						{`histogram_quantile(0.999, sum by (le) (rate(go_sched_latencies_seconds_bucket{@}[@])))`, "p99.9"},
					},
				},
				{
					title: "Wait for locks", unit: units.Short, label: "goroutines",
					about:   "Goroutines that wait for a sync.Mutex or RWMutex, on average. Above one, a lock is held too long or shared too widely; the mutex profile names it." + allMetrics,
					queries: []query{{`rate(go_sync_mutex_wait_total_seconds_total{@}[@])`, "waiting"}},
				},
				{
					title: "Threads", unit: units.Short, label: "threads",
					about:   "Threads of the process, as the runtime knows them. Far more than GOMAXPROCS means system calls that block, often of files.",
					queries: []query{{`go_threads{@}`, "threads"}, {`go_sched_gomaxprocs_threads{@}`, "GOMAXPROCS"}},
				},
				{
					title: "CPU time of the process", unit: units.Short, label: "CPUs",
					about:   "Processors that the process keeps busy, as the kernel counts. At GOMAXPROCS it is the limit.",
					queries: []query{{`rate(process_cpu_seconds_total{@}[@])`, "used"}, {`go_sched_gomaxprocs_threads{@}`, "GOMAXPROCS"}},
				},
				{
					title: "Open files", unit: units.PercentUnit, label: "share of the limit", limit: filesLimit,
					about:   "Open files and connections, as a share of the process' limit. At 100 % no connection is accepted any more. The rule FilesRunOut warns at the dashed line.",
					queries: []query{{`process_open_fds{@} / process_max_fds{@}`, "open"}},
				},
			}},
		},
	}
}
