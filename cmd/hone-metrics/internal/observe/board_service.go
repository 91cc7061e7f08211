package observe

import (
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/program/metricname"
)

// The matchers of the dashboards' variables, and Grafana's own window for rates, which always
// has enough scrapes in it. A real Prometheus knows no run; there the variable is ".*", which
// matches the empty label, too.
const (
	chosen     = `{run=~"$run",job="$job",instance="$instance"}`
	rateWindow = "[$__rate_interval]"
)

// maxOfKind bounds the panels of one kind of metric: more of them cannot be looked through.
const maxOfKind = 24

// serviceBoard shows every metric of a service that is its own, and what its work costs.
func serviceBoard(all []Family) board {
	b := board{
		About: "The service by the metrics that it showed when this was written. Once it shows others, hone metrics " +
			"observe up writes the file anew (--force).",
		Anchor:  anchorOf(all),
		Palette: palette,
	}
	b.addRow("What happens", panelsOf(own(all, KindCounter), counterPanel))
	b.addRow("How long it takes, and how large it is",
		append(panelsOf(own(all, KindHistogram), histogramPanel), panelsOf(own(all, KindSummary), summaryPanel)...))
	b.addRow("What there is now", panelsOf(own(all, KindGauge), gaugePanel))
	if len(b.Panels) == 0 {
		b.About = "The service showed no metrics of its own when this was written, so this is what every Go program shows. " +
			"Once it has some, hone metrics observe up writes the file anew (--force)."
	}
	b.addRow("What it costs", costPanels(all))
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
		Title: f.Name, Unit: "cps", Label: "events/s",
		About:   f.about("Its increase per second, over all other labels."),
		Queries: []query{{f.events(by, chosen, rateWindow), legend}},
	}
	switch {
	case strings.Contains(f.Name, "_bytes"):
		p.Unit, p.Label = "binBps", "bytes/s"
	case strings.HasSuffix(f.Name, "_seconds_total"):
		p.Unit, p.Label = "short", "seconds per second"
	case strings.Contains(f.Name, "request"):
		p.Unit, p.Label = "reqps", "requests/s"
	}
	return p
}

func gaugePanel(f Family) panel {
	by, legend := f.split("now")
	p := panel{
		Title: f.Name, Unit: "short", Label: "now", Signed: true,
		About:   f.about("Its value at each scrape, added up over all other labels."),
		Queries: []query{{sumBy(by) + "(" + f.Name + chosen + ")", legend}},
	}
	switch {
	case strings.HasSuffix(f.Name, "_bytes"):
		p.Unit, p.Label = "bytes", "bytes"
	case strings.HasSuffix(f.Name, "_seconds"):
		p.Unit, p.Label = "s", "seconds"
	}
	return p
}

// histogramPanel has the quantiles of all observations together: those of parts do not add up.
func histogramPanel(f Family) panel {
	p := panel{
		Title: f.Name, About: f.about("Quantiles of all observations, as exact as its buckets are narrow."),
	}
	p.Unit, p.Label = sizeUnit(f)
	for _, q := range []string{"0.5", "0.9", "0.99"} {
		p.Queries = append(p.Queries, query{f.quantile(q, "", chosen, rateWindow), quantileNames[q]})
	}
	return p
}

var quantileNames = map[string]string{"0.5": "p50", "0.9": "p90", "0.99": "p99"}

// summaryPanel has the quantiles that the service has estimated itself, which cannot be added up.
func summaryPanel(f Family) panel {
	p := panel{
		Title: f.Name,
		About: f.about("The quantiles that the service itself estimates; of several series the highest."),
		Queries: []query{{"max by (quantile) (" + f.Name + strings.TrimSuffix(chosen, "}") + `,quantile!=""})`,
			"{{quantile}}"}},
	}
	p.Unit, p.Label = sizeUnit(f)
	return p
}

// sizeUnit is the unit of observations.
func sizeUnit(f Family) (unit, label string) {
	switch unit := metricname.DurationUnit(f.Name, f.Unit); {
	case unit == 1:
		return "s", "seconds"
	case unit == 1e-3:
		return "ms", "milliseconds"
	case unit == 1e-6:
		return "µs", "microseconds"
	case unit == 1e-9:
		return "ns", "nanoseconds"
	case unit == 60:
		return "m", "minutes"
	case unit == 3600:
		return "h", "hours"
	case f.Unit == "bytes", f.Unit == "" && strings.HasSuffix(f.Name, "_bytes"):
		return "bytes", "bytes"
	}
	return "short", "size"
}

// costPanels are what the service uses, as far as it shows that: or, where it shows nothing, as
// every Go program with client_golang does.
func costPanels(all []Family) []panel {
	var panels []panel
	shown := func(name string) bool { return len(all) == 0 || has(all, name) }
	if main := work(all); main != nil && shown("process_cpu_seconds_total") {
		panels = append(panels, panel{
			Title: "CPU time per event", Unit: "s", Label: "CPU seconds",
			About: fmt.Sprintf("CPU time of the process by each event of %s: what a change to the service is judged by. It is "+
				"steady while the load is, whatever else runs on the machine.", main.Name),
			Queries: []query{{`sum(rate(process_cpu_seconds_total` + chosen + rateWindow + `)) / ` +
				main.events("", chosen, rateWindow), "per event"}},
		})
	}
	for _, one := range []struct {
		metric string
		panel  panel
	}{
		{"process_cpu_seconds_total", panel{
			Title: "CPU", Unit: "short", Label: "CPUs",
			About: "Processors that the process keeps busy, on average between two scrapes. At the number that it may use " +
				"it is full.",
			Queries: []query{{`rate(process_cpu_seconds_total` + chosen + rateWindow + `)`, "used"}},
		}},
		{"process_resident_memory_bytes", panel{
			Title: "Memory", Unit: "bytes", Label: "bytes",
			About: "Resident memory as the kernel sees it. A rise that no load explains is a leak, or a cache that still " +
				"fills.",
			Queries: []query{{`process_resident_memory_bytes` + chosen, "resident"}},
		}},
		{"go_goroutines", panel{
			Title: "Goroutines", Unit: "short", Label: "goroutines",
			About: "Goroutines that exist. With a goroutine per connection it follows the connections; growth without them " +
				"is a leak.",
			Queries: []query{{`go_goroutines` + chosen, "goroutines"}},
		}},
	} {
		if shown(one.metric) {
			panels = append(panels, one.panel)
		}
	}
	return panels
}
