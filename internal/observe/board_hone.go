package observe

import "github.com/grafana/grafana-foundation-sdk/go/units"

// honeBoard watches hone's own load: whether it was what it was to be, and what the
// program under it did.
func honeBoard() board {
	return board{
		uid:    "hone-runs",
		title:  "hone: runs",
		about:  "Load tests of hone: asked and answered, failures, latency, and whether the generator was the limit.",
		anchor: "hone_load_requests_sent_total",
		job:    jobHone,
		rows: []row{
			{"Was the load what it was to be", []panel{
				{
					title: "Asked and answered", unit: units.RequestsPerSecond, label: "requests/s",
					about: "The rate that an open loop was to keep, requests sent, and right answers. Sent below asked: the generator or all connections were busy. Answered below sent: the server falls behind or fails. A closed loop asks for no rate.",
					queries: []query{
						{`max by (run) (hone_load_rate_asked{@})`, "asked"},
						{`sum by (run) (rate(hone_load_requests_sent_total{@}[@]))`, "sent"},
						{`sum by (run) (rate(hone_load_requests_answered_total{@}[@]))`, "answered"},
					},
				},
				{
					title: "Failures by cause", unit: units.RequestsPerSecond, label: "requests/s",
					about:   "Requests without a right answer. They are not in the latencies of what was answered, so a good p99 beside failures says little.",
					queries: []query{{`sum by (cause) (rate(hone_load_requests_failed_total{@}[@]))`, "{{cause}}"}},
				},
				{
					title: "Share of failed requests", unit: units.PercentUnit, label: "share", limit: loadFailureLimit,
					about:   "Failed requests per request sent. The rule LoadRequestsFail warns at the dashed line.",
					queries: []query{{loadFailureShare(`{@}`, `[@]`), "failed"}},
				},
			}},
			{"What clients saw", []panel{
				{
					title: "Latency", unit: units.Seconds, label: "seconds", width: 16,
					about:   "Quantiles from a native histogram. In an open loop the time counts from the moment the request was due, so a server that stands still for a second shows as a second.",
					queries: loadLatency,
				},
				{
					title: "Mean latency", unit: units.Seconds, label: "seconds",
					about:   "Sum of the latencies by their number. Much above the median there is a long tail.",
					queries: []query{{`sum by (run) (histogram_sum(rate(hone_load_latency_seconds{@}[@]))) / sum by (run) (histogram_count(rate(hone_load_latency_seconds{@}[@])))`, "mean"}},
				},
			}},
			{"What it took", []panel{
				{
					title: "CPU time per answer", unit: units.Seconds, label: "CPU seconds",
					about:   "CPU time of the program under load per right answer: the measure that hone compares variants by. Of two views of the same process (its own page, and hone's) the larger is taken.",
					queries: []query{{`max by (run) (rate(process_cpu_seconds_total{run=~"$run",job=~"subject|go|hone"}[@])) / sum by (run) (rate(hone_load_requests_answered_total{@}[@]))`, "per answer"}},
				},
				{
					title: "CPU time of the generator", unit: units.Short, label: "CPUs",
					about:   "Processors that the load generator itself keeps busy. Near the number it may use, it is the generator that is measured, and hone calls the run invalid.",
					queries: []query{{`sum by (run) (rate(hone_load_generator_cpu_seconds_total{@}[@]))`, "generator"}},
				},
				{
					title: "Connections", unit: units.Short, label: "connections",
					about:   "Connections that the load holds open. Fewer than asked for means that the server refused or dropped some.",
					queries: []query{{`sum by (run) (hone_load_connections{@})`, "connections"}},
				},
				{
					title: "System calls per answer", unit: units.Short, label: "calls",
					about: "Calls of read and write by the program under load, per right answer. Two of each and more is a protocol that is read field by field; below one the server works in batches. Only hone's own recordings have them.",
					queries: []query{
						{`max by (run) (rate(process_read_calls_total{run=~"$run"}[@])) / sum by (run) (rate(hone_load_requests_answered_total{@}[@]))`, "read"},
						{`max by (run) (rate(process_write_calls_total{run=~"$run"}[@])) / sum by (run) (rate(hone_load_requests_answered_total{@}[@]))`, "write"},
					},
				},
				{
					title: "Context switches per answer", unit: units.Short, label: "switches",
					about:   "Switches of the program under load, per right answer. voluntary is a thread that had nothing to do, involuntary one that was taken off: the machine was too small. Only hone's own recordings have them.",
					series:  []string{"voluntary", "involuntary"},
					queries: []query{{`sum by (run, kind) (rate(process_context_switches_total{run=~"$run"}[@])) / on (run) group_left () sum by (run) (rate(hone_load_requests_answered_total{@}[@]))`, "{{kind}}"}},
				},
				{
					title: "Versions of hone", unit: units.Short, label: "processes",
					about:   "Which hone drove the load. Figures of two versions compare only if the generator did not change between them.",
					queries: []query{{`count by (version) (hone_info{run=~"$run"})`, "{{version}}"}},
				},
			}},
		},
	}
}
