package observe

import (
	"fmt"
	"strings"

	"github.com/grafana/grafana-foundation-sdk/go/units"

	"github.com/gohone/hone/internal/metricname"
)

// maxOfKind bounds the panels of one kind of metric: more of them cannot be looked through.
const maxOfKind = 24

// serviceBoards are the dashboards of the service itself. One that shows the metrics of the
// framed server has the one that was made for them.
func serviceBoards(all []Family) []board {
	if isFramed(all) {
		return []board{framedBoard()}
	}
	return []board{serviceBoard(all)}
}

// isFramed says that the metrics are those of the framed server.
func isFramed(all []Family) bool {
	return has(all, "framed_requests_received_total") && has(all, "framed_client_connected")
}

// serviceBoard shows every metric of a service that is its own, and what its work costs.
func serviceBoard(all []Family) board {
	b := board{
		uid:    "hone-service",
		title:  "hone: service",
		about:  "The service by the metrics that it showed when this was written. Once it shows others, hone observe up writes the file anew (--force).",
		anchor: anchorOf(all),
		job:    jobService,
	}
	for _, r := range []row{
		{"What happens", panelsOf(own(all, KindCounter), counterPanel)},
		{"How long it takes, and how large it is", append(panelsOf(own(all, KindHistogram), histogramPanel), panelsOf(own(all, KindSummary), summaryPanel)...)},
		{"What there is now", panelsOf(own(all, KindGauge), gaugePanel)},
		{"What it costs", costPanels(all)},
	} {
		if len(r.panels) > 0 {
			b.rows = append(b.rows, r)
		}
	}
	if b.rows[0].title == "What it costs" {
		b.about = "The service showed no metrics of its own when this was written, so this is what every Go program shows. Once it has some, hone observe up writes the file anew (--force)."
	}
	return b
}

// anchorOf is a metric that is there from the start, if there is one.
func anchorOf(all []Family) string {
	for _, kinds := range [][]Kind{{KindGauge}, {KindCounter}} {
		for _, f := range own(all, kinds...) {
			if len(f.Labels) == 0 { // those with labels may come later
				return f.Name
			}
		}
	}
	if len(all) > 0 && !has(all, "go_goroutines") && has(all, "process_cpu_seconds_total") {
		return "process_cpu_seconds_total"
	}
	return "go_goroutines"
}

func panelsOf(families []Family, make func(Family) panel) []panel {
	var all []panel
	for _, f := range families[:min(len(families), maxOfKind)] {
		all = append(all, make(f))
	}
	return all
}

// about is what the service says of a metric, and how it is shown.
func (f Family) about(shown string) string {
	help := strings.TrimRight(f.Help, ". ")
	if help != "" {
		help += ". "
	}
	return help + shown + " The metric is " + f.Name + "."
}

// split is the expression's grouping and the legend of its lines.
func (f Family) split(alone string) (by, legend string) {
	if by = f.splitBy(); by != "" {
		return by, "{{" + by + "}}"
	}
	return "", alone
}

func counterPanel(f Family) panel {
	by, legend := f.split("per second")
	p := panel{
		title: f.Name, unit: units.CountsPerSecond, label: "events/s",
		about:   f.about("Its increase per second, over all other labels."),
		queries: []query{{f.events(by, `{@}`, `[@]`), legend}},
	}
	switch {
	case strings.Contains(f.Name, "_bytes"):
		p.unit, p.label = units.BytesPerSecondIEC, "bytes/s"
	case strings.HasSuffix(f.Name, "_seconds_total"):
		p.unit, p.label = units.Short, "seconds per second"
	case strings.Contains(f.Name, "request"):
		p.unit, p.label = units.RequestsPerSecond, "requests/s"
	}
	return p
}

func gaugePanel(f Family) panel {
	by, legend := f.split("now")
	expr := "sum by (" + by + ") (" + f.Name + "{@})"
	if by == "" {
		expr = "sum(" + f.Name + "{@})"
	}
	p := panel{
		title: f.Name, unit: units.Short, label: "now", signed: true,
		about:   f.about("Its value at each scrape, added up over all other labels."),
		queries: []query{{expr, legend}},
	}
	switch {
	case strings.HasSuffix(f.Name, "_bytes"):
		p.unit, p.label = units.BytesIEC, "bytes"
	case strings.HasSuffix(f.Name, "_seconds"):
		p.unit, p.label = units.Seconds, "seconds"
	}
	return p
}

// histogramPanel has the quantiles of all observations together: those of parts do not add up.
func histogramPanel(f Family) panel {
	p := panel{
		title: f.Name, about: f.about("Quantiles of all observations, as exact as its buckets are narrow."),
	}
	p.unit, p.label = sizeUnit(f.Name)
	for _, q := range []string{"0.5", "0.9", "0.99"} {
		p.queries = append(p.queries, query{f.quantile(q, "", `{@}`, `[@]`), quantileNames[q]})
	}
	return p
}

var quantileNames = map[string]string{"0.5": "p50", "0.9": "p90", "0.99": "p99"}

// summaryPanel has the quantiles that the service has estimated itself, which cannot be added up.
func summaryPanel(f Family) panel {
	p := panel{
		title: f.Name, about: f.about("The quantiles that the service itself estimates; of several series the highest."),
		queries: []query{{"max by (quantile) (" + f.Name + `{@,quantile!=""})`, "{{quantile}}"}},
	}
	p.unit, p.label = sizeUnit(f.Name)
	return p
}

// sizeUnit is the unit of observations, by their name.
func sizeUnit(name string) (unit, label string) {
	switch unit := metricname.DurationUnit(name); {
	case unit == 1:
		return units.Seconds, "seconds"
	case unit == 1e-3:
		return units.Milliseconds, "milliseconds"
	case unit == 1e-6:
		return units.Microseconds, "microseconds"
	case unit == 1e-9:
		return units.Nanoseconds, "nanoseconds"
	case strings.HasSuffix(name, "_bytes"):
		return units.BytesIEC, "bytes"
	}
	return units.Short, "size"
}

// costPanels are what the service uses, as far as it shows that: or, where it shows nothing, as
// every Go program with client_golang does.
func costPanels(all []Family) []panel {
	var panels []panel
	shown := func(name string) bool { return len(all) == 0 || has(all, name) }
	if main := work(all); main != nil && shown("process_cpu_seconds_total") {
		panels = append(panels, panel{
			title: "CPU time per event", unit: units.Seconds, label: "CPU seconds",
			about:   fmt.Sprintf("CPU time of the process by each event of %s: what a change to the service is judged by. It is steady while the load is, whatever else runs on the machine.", main.Name),
			queries: []query{{`sum(rate(process_cpu_seconds_total{@}[@])) / ` + main.events("", `{@}`, `[@]`), "per event"}},
		})
	}
	for _, one := range []struct {
		metric string
		panel  panel
	}{
		{"process_cpu_seconds_total", panel{
			title: "CPU", unit: units.Short, label: "CPUs", about: "Processors that the process keeps busy, on average between two scrapes. At the number that it may use it is full.",
			queries: []query{{`rate(process_cpu_seconds_total{@}[@])`, "used"}},
		}},
		{"process_resident_memory_bytes", panel{
			title: "Memory", unit: units.BytesIEC, label: "bytes", about: "Resident memory as the kernel sees it. A rise that no load explains is a leak, or a cache that still fills.",
			queries: []query{{`process_resident_memory_bytes{@}`, "resident"}},
		}},
		{"go_goroutines", panel{
			title: "Goroutines", unit: units.Short, label: "goroutines", about: "Goroutines that exist. With a goroutine per connection it follows the connections; growth without them is a leak.",
			queries: []query{{`go_goroutines{@}`, "goroutines"}},
		}},
	} {
		if shown(one.metric) {
			panels = append(panels, one.panel)
		}
	}
	return panels
}
