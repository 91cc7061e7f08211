package observe

import "github.com/grafana/grafana-foundation-sdk/go/units"

// framedBoard watches the framed server: the three published panels, and what they
// cannot tell.
func framedBoard() board {
	return board{
		uid:    "hone-framed",
		title:  "hone: framed server",
		about:  "The framed server by its own counters, and its clients by those of hone's load.",
		anchor: "framed_client_connected",
		job:    jobService,
		rows: []row{
			{"As published", []panel{
				{
					title: "Connected clients", shape: gauge, unit: units.Short, label: "clients",
					about:   "Connections that are open now. Compare it with the connections that the load was to open: fewer means that some were refused or lost.",
					queries: []query{{`framed_client_connected{@}`, "clients"}},
				},
				{
					title: "Requests received", unit: units.RequestsPerSecond, label: "requests/s",
					about:   "Requests decoded per second, over a window of three scrapes as published. Over a long time range such a short window skips samples; the panels further down have one that grows.",
					queries: []query{{`rate(framed_requests_received_total{@}[published])`, "received"}},
				},
				{
					title: "Responses sent", unit: units.RequestsPerSecond, label: "responses/s",
					about:   "Answers handed to the kernel per second. It must lie on the curve of the requests: a client that does not wait for answers looks fast even when it gets none.",
					queries: []query{{`rate(framed_responses_sent_total{@}[published])`, "sent"}},
				},
			}},
			{"Is anything lost", []panel{
				{
					title: "Requests without an answer", unit: units.Short, label: "requests",
					about:   "Requests received less answers sent, since the server started. Up to the clients' outstanding requests it is work in progress. If it stays while the load is over, answers are withheld or were lost with their connections.",
					queries: []query{{`framed_requests_received_total{@} - framed_responses_sent_total{@}`, "unanswered"}},
				},
				{
					title: "Faults by cause", unit: units.CountsPerSecond, label: "faults/s",
					about:   "Connections refused, closed or lost for a fault, and failures to accept. idle and stalled are slow clients; the frame causes are clients that speak another protocol; refused is the limit of connections.",
					series:  []string{"refused", "idle", "stalled", "lost", "accept", "frame_too_long", "unknown_command"},
					queries: []query{{`sum by (cause) (rate(framed_errors_total{@}[@]))`, "{{cause}}"}},
				},
				{
					title: "Share of connections with a fault", unit: units.PercentUnit, label: "share", limit: connectionFaultLimit,
					about:   "Faults per connection that came, served or refused. It has no value while no connection comes. The dashed line is where the rule FramedConnectionFaults warns.",
					queries: []query{{connectionFaultShare(`{@}`, `{@,cause!="accept"}`, `{@,cause="refused"}`, `[@]`), "share"}},
				},
			}},
			{"Bytes and connections", []panel{
				{
					title: "Bytes", unit: units.BytesPerSecondIEC, label: "bytes/s",
					about: "Bytes read from clients and handed to the kernel for them, without the headers of TCP and IP.",
					queries: []query{
						{`rate(framed_bytes_received_total{@}[@])`, "received"},
						{`rate(framed_bytes_sent_total{@}[@])`, "sent"},
					},
				},
				{
					title: "Bytes per frame", unit: units.BytesIEC, label: "bytes",
					about: "A submit with a payload of 24 bytes is a frame of 37, an answer always one of 14. Another value says that the load is not the one that was meant.",
					queries: []query{
						{`rate(framed_bytes_received_total{@}[@]) / rate(framed_requests_received_total{@}[@])`, "request"},
						{`rate(framed_bytes_sent_total{@}[@]) / rate(framed_responses_sent_total{@}[@])`, "response"},
					},
				},
				{
					title: "Connections accepted", unit: units.CountsPerSecond, label: "connections/s",
					about:   "New connections per second. With clients that keep their connections it is zero but for the start; a steady rate says that they are dropped and opened anew.",
					queries: []query{{`rate(framed_connections_accepted_total{@}[@])`, "accepted"}},
				},
			}},
			{"What clients see, and what it costs", []panel{
				{
					title: "Latency of the load", unit: units.Seconds, label: "seconds",
					about:   "Quantiles of the time to an answer, as hone's load measures it; in an open loop from the moment the request was due. A p99 that leaves the median behind is a queue or a pause: look at the collector's on the dashboard of the Go runtime.",
					queries: loadLatency,
				},
				{
					title: "Rates of server and load", unit: units.RequestsPerSecond, label: "requests/s",
					about: "What the server counts beside what hone's load counts. The two agree where the load is the only client; answered below asked means that the server is full.",
					queries: []query{
						{`rate(framed_responses_sent_total{@}[@])`, "sent by the server"},
						{`sum by (run) (rate(hone_load_requests_answered_total{run=~"$run"}[@]))`, "answered, hone"},
						{`max by (run) (hone_load_rate_asked{run=~"$run"})`, "asked, hone"},
					},
				},
				{
					title: "CPU time per request", unit: units.Seconds, label: "CPU seconds",
					about:   "CPU time of the process per request decoded: what a change to the server is judged by. It is steady while the load is, whatever else runs on the machine.",
					queries: []query{{`rate(process_cpu_seconds_total{@}[@]) / rate(framed_requests_received_total{@}[@])`, "per request"}},
				},
			}},
		},
	}
}

// loadLatency are the quantiles of hone's load, from its native histogram.
var loadLatency = []query{
	{`histogram_quantile(0.5, sum by (run) (rate(hone_load_latency_seconds{run=~"$run"}[@])))`, "p50"},
	{`histogram_quantile(0.9, sum by (run) (rate(hone_load_latency_seconds{run=~"$run"}[@])))`, "p90"},
	{`histogram_quantile(0.99, sum by (run) (rate(hone_load_latency_seconds{run=~"$run"}[@])))`, "p99"},
	{`histogram_quantile(0.999, sum by (run) (rate(hone_load_latency_seconds{run=~"$run"}[@])))`, "p99.9"},
}
