package observe

import (
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/metricname"
)

// serviceRules are the rules about the metrics of the service. window is in brackets.
func serviceRules(window string, all []Family) []rule {
	if isFramed(all) {
		return framedRules(window)
	}
	return append(recordsOf(window, all), failureAlerts(window, all)...)
}

// ofService are the matchers of the service's series.
const ofService = `{job="` + jobService + `"}`

// recordsOf are the recorded series: the rate of the service's work, what it costs, and how
// long it takes.
func recordsOf(window string, all []Family) []rule {
	var records []rule
	if main := work(all); main != nil {
		name := "instance:" + strings.TrimSuffix(main.Name, "_total")
		events := main.events("job, instance", ofService, window)
		records = append(records, rule{record: name + ":rate", expr: events})
		if has(all, "process_cpu_seconds_total") {
			records = append(records, rule{
				record: name + ":cpu_seconds",
				expr: `sum by (job, instance) (rate(process_cpu_seconds_total` + ofService + window + `)) / ` +
					events,
			})
		}
	}
	for _, f := range own(all, KindHistogram) {
		if f.duration() {
			records = append(records, rule{record: "instance:" + f.Name + ":p99",
				expr: f.quantile("0.99", "job, instance", ofService, window)})
			break
		}
	}
	return records
}

// failureAlerts warn of failures: by a label of the work that says so, or by counters of
// errors beside it.
func failureAlerts(window string, all []Family) []rule {
	main := work(all)
	if main == nil {
		return nil
	}
	alert := rule{
		alert: "ServiceFailures", severity: "warning", pending: time.Minute,
		summary: "{{ $value | humanizePercentage }} of what {{ $labels.instance }} does fails",
	}
	whole := main.events("job, instance", ofService, window)
	share := func(failures, says string) rule {
		one := alert
		one.expr = failures + " / " + whole + " > " + number(failureLimit)
		one.detail = says + " on the dashboard of the service says since when."
		return one
	}
	if m := main.failures(); m != "" {
		matchers := strings.TrimSuffix(ofService, "}") + "," + m + "}"
		return []rule{share(main.events("job, instance", matchers, window), "The panel "+main.Name)}
	}
	var alerts []rule
	for _, f := range own(all, KindCounter) {
		if metricname.Failures(f.Name) {
			alerts = append(alerts, share(f.events("job, instance", ofService, window), "The panel "+f.Name))
		}
	}
	return alerts
}
