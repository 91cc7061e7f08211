package observe

import "time"

// framedRules are the rules about the framed server.
func framedRules(window string) []rule {
	return []rule{
		{
			record: "instance:framed_requests_received:rate",
			expr:   `sum by (job, instance) (rate(framed_requests_received_total` + window + `))`,
		},
		{
			record: "instance:framed_request_cpu_seconds:ratio",
			expr: `rate(process_cpu_seconds_total{job="` + jobService + `"}` + window +
				`) / rate(framed_requests_received_total{job="` + jobService + `"}` + window + `)`,
		},
		{
			alert: "FramedConnectionFaults", severity: "warning", pending: time.Minute,
			expr: `sum(rate(framed_errors_total{cause!="accept"}` + window + `)) / ` +
				`(sum(rate(framed_connections_accepted_total` + window +
				`)) + sum(rate(framed_errors_total{cause="refused"}` + window + `))) > ` + number(failureLimit),
			summary: "{{ $value | humanizePercentage }} of the connections end by a fault",
			detail:  "The panel Faults by cause of the framed dashboard says which fault.",
		},
		{
			// Not the difference of the two: what a client never heard since it went away
			// stays in that for ever.
			alert: "FramedAnswersWithheld", severity: "warning", pending: 10 * time.Second,
			expr: `increase(framed_requests_received_total` + window +
				`) > 0 and increase(framed_responses_sent_total` + window + `) == 0`,
			summary: "{{ $labels.instance }} received about {{ $value | humanize }} requests and answered none",
			detail:  "The server holds answers back: a writer that is never flushed, or a worker that is stuck.",
		},
	}
}
