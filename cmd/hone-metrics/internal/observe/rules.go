package observe

import "time"

// Where the rules begin to warn. The dashboards draw a dashed line there.
const (
	// One failure in a hundred is more than noise: of connections, of hone's load, of the
	// service's work.
	failureLimit = 0.01
	// gcShareLimit is the share of its CPU time that Go's collector aims at while it
	// marks: GOGC's pacer dedicates a quarter of the processors to it. A program that
	// spends a quarter all the time is one that never stops collecting.
	gcShareLimit = 0.25
	// stealLimit: beyond a twentieth of the time the difference that is looked for is
	// smaller than what the host takes.
	stealLimit = 0.05
	// filesLimit leaves a fifth for a peak.
	filesLimit = 0.8
)

// rule is one rule of Prometheus: a recording rule, which has a record, or an alert.
type rule struct {
	record string // name of the series that holds the result
	alert  string // name of the alert
	expr   string
	// pending is how long expr must hold before the alert fires; two scrapes at least.
	pending         time.Duration
	severity        string // critical: the service is down; warning: look at it
	summary, detail string // what Prometheus' page says; with its own templates
}

// rules are the rules for a service that shows these metrics, over a window that has enough
// scrapes in it. window is in brackets.
func rules(window string, service []Family) []rule {
	return append(serviceRules(window, service), commonRules(window)...)
}

// commonRules are those for every service.
func commonRules(window string) []rule {
	return []rule{
		{
			record: "instance:go_collector_cpu:ratio",
			expr: `rate(go_cpu_classes_gc_total_cpu_seconds_total` + window + `) / ` +
				`(rate(go_cpu_classes_total_cpu_seconds_total` + window +
				`) - rate(go_cpu_classes_idle_cpu_seconds_total` + window + `))`,
		},
		{
			alert: "ServiceDown", severity: "critical", pending: 30 * time.Second,
			expr:    `up{job="` + jobService + `"} == 0`,
			summary: "{{ $labels.instance }} shows no metrics",
			detail:  "The service does not run, or its metrics page is at another address than prometheus.yaml says.",
		},
		{
			alert: "WatcherDown", severity: "warning", pending: time.Minute,
			expr:    `up{job=~"` + jobPrometheus + `|` + jobNode + `"} == 0`,
			summary: "{{ $labels.job }} at {{ $labels.instance }} shows no metrics",
			detail:  "A part of the stack itself is down: docker compose ps says which.",
		},
		{
			alert: "LoadRequestsFail", severity: "warning", pending: 10 * time.Second,
			expr: `sum(rate(hone_load_requests_failed_total` + window +
				`)) / sum(rate(hone_load_requests_sent_total` + window + `)) > ` + number(failureLimit),
			summary: "{{ $value | humanizePercentage }} of the requests of hone's load fail",
			detail:  "Latencies of what was answered mean little if there are failures.",
		},
		{
			alert: "GoCollectorShare", severity: "warning", pending: time.Minute,
			expr:    `instance:go_collector_cpu:ratio > ` + number(gcShareLimit),
			summary: "the garbage collector takes {{ $value | humanizePercentage }} of the CPU time of {{ $labels.instance }}",
			detail:  "hone profile gc says which call sites cause it.",
		},
		{
			alert: "FilesRunOut", severity: "warning", pending: time.Minute,
			expr:    `process_open_fds / process_max_fds > ` + number(filesLimit),
			summary: "{{ $labels.job }} at {{ $labels.instance }} has {{ $value | humanizePercentage }} of its files open",
			detail:  "At its limit it accepts no connection: raise ulimit -n, or find what is not closed.",
		},
		{
			alert: "HostStealsTime", severity: "warning", pending: time.Minute,
			expr:    `avg(rate(node_cpu_seconds_total{mode="steal"}` + window + `)) > ` + number(stealLimit),
			summary: "the host takes {{ $value | humanizePercentage }} of this machine's CPU time",
			detail:  "What is measured now differs from run to run, whatever the program does.",
		},
	}
}
