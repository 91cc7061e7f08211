package observe

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/parser"

	"github.com/gohone/hone/cmd/hone-metrics/internal/library"
)

// The rows and panels of a dashboard have numbers of their own.
func TestPanelsAreNumbered(t *testing.T) {
	for _, d := range slices.Concat(dashboardsOf(t, framedShown), dashboardsOf(t, shopShown(t))) {
		ids := map[int]bool{}
		for _, p := range d.Panels {
			ids[p.ID] = true
		}
		if len(ids) != len(d.Panels) {
			t.Errorf("%s: %d panels and rows with %d numbers", d.UID, len(d.Panels), len(ids))
		}
	}
}

// Every panel says what it shows, in which unit, and what to look for; every line has a
// name; no two panels of a dashboard have one name.
func TestPanelsAreExplained(t *testing.T) {
	uids := map[string]bool{}
	for _, d := range dashboardsOf(t, framedShown) {
		if uids[d.UID] || len(d.UID) < 8 || len(d.UID) > 40 || d.Title == "" || d.Description == "" {
			t.Errorf("dashboard %q is not whole, or there twice", d.UID)
		}
		uids[d.UID] = true
		titles := map[string]bool{}
		for _, p := range d.Panels {
			if p.Type == "row" {
				continue
			}
			at, shown := d.UID+", "+p.Title, p.FieldConfig.Defaults
			if titles[p.Title] || p.Title == "" {
				t.Errorf("%s: the name is there twice, or empty", at)
			}
			titles[p.Title] = true
			labelled := shown.Custom.AxisLabel != "" || p.Type == "gauge" // which has no axis
			if len(p.Description) < 60 || !strings.HasSuffix(p.Description, ".") || shown.Unit == "" || !labelled ||
				len(p.Targets) == 0 {
				t.Errorf("%s: about %q, unit %q, label %q, %d queries", at, p.Description, shown.Unit,
					shown.Custom.AxisLabel, len(p.Targets))
			}
			if len(p.Targets) > len(palette) || len(p.FieldConfig.Overrides) > len(palette) {
				t.Errorf("%s: %d queries and %d overrides for %d colours", at, len(p.Targets),
					len(p.FieldConfig.Overrides), len(palette))
			}
			for _, q := range p.Targets {
				if q.LegendFormat == "" {
					t.Errorf("%s: %s has no name", at, q.Expr)
				}
			}
		}
	}
}

// Where a panel says that a rule warns at its dashed line, the line is at the rule's limit and
// both have one expression.
func TestDashedLinesAreWhereRulesWarn(t *testing.T) {
	exprs := map[string]string{}
	for _, r := range rules("[1m]", framedShown) {
		exprs[r.record+r.alert] = strings.ReplaceAll(r.expr, "instance:go_collector_cpu:ratio",
			exprs["instance:go_collector_cpu:ratio"])
	}
	everything := strings.NewReplacer(chosen, "", strings.TrimSuffix(chosen, "}")+",", "{", rateWindow, "[1m]")
	named := regexp.MustCompile(`[Rr]ule (\w+)`)
	found := 0
	for _, d := range dashboardsOf(t, framedShown) {
		for _, p := range d.Panels {
			for _, match := range named.FindAllStringSubmatch(p.Description, -1) {
				found++
				steps := p.FieldConfig.Defaults.Thresholds.Steps
				if limit := steps[len(steps)-1].Value; limit == nil ||
					exprs[match[1]] != everything.Replace(p.Targets[0].Expr)+" > "+number(*limit) {
					t.Errorf("%s, %s: rule %s is %s, the panel %s with limit %v", d.UID, p.Title, match[1],
						exprs[match[1]], p.Targets[0].Expr, limit)
				}
			}
		}
	}
	if found != 5 {
		t.Errorf("%d panels name a rule, want 5", found)
	}
}

// Only colours of the palette are used. In the classic palettes of Grafana red and green
// stand side by side.
func TestColoursCanBeToldApart(t *testing.T) {
	hex := regexp.MustCompile(`#[0-9A-Fa-f]{6}`)
	for _, f := range mustFiles(t, Stack{Families: framedShown}) {
		if !strings.HasPrefix(f.Name, "grafana/dashboards/") {
			continue
		}
		for _, colour := range hex.FindAllString(string(f.Text), -1) {
			if !slices.Contains(palette, colour) {
				t.Errorf("%s has the colour %s", f.Name, colour)
			}
		}
		for _, word := range []string{`"green"`, `"red"`, "palette-classic", "continuous-"} {
			if strings.Contains(string(f.Text), word) {
				t.Errorf("%s has %s", f.Name, word)
			}
		}
	}
}

// metricNames walks an expression and collects the names of the metrics in it.
func metricNames(t *testing.T, expr string, into map[string]bool) {
	t.Helper()
	parsed, err := library.Parser().ParseExpr(expr)
	if err != nil {
		t.Errorf("%s: %v", expr, err)
		return
	}
	parser.Inspect(parsed, func(node parser.Node, _ []parser.Node) error {
		if v, ok := node.(*parser.VectorSelector); ok {
			into[v.Name] = true
		}
		return nil
	})
}

// Every expression is PromQL, once Grafana's variables are replaced, and about metrics
// that some part of the stack has.
func TestExpressionsAreProm(t *testing.T) {
	all := Expressions(t, framedShown)
	names := map[string]bool{}
	counts := map[string]int{}
	for _, e := range all {
		counts[e.Dashboard]++
		resolved := e.Resolved("run-1", "subject", "127.0.0.1:8889", 20*time.Second)
		if strings.Contains(resolved, "$") {
			t.Errorf("%s, %s: a variable is left in %s", e.Dashboard, e.Panel, resolved)
		}
		metricNames(t, resolved, names)
	}
	known := regexp.MustCompile(`^(framed_|node_|go_|process_|hone_|instance:|up$)`)
	for name := range names {
		if !known.MatchString(name) {
			t.Errorf("nothing has the metric %q", name)
		}
	}
	for _, b := range append(slices.Collect(maps.Keys(counts)), "rules") {
		if counts[b] < 10 {
			t.Errorf("%s has %d expressions", b, counts[b])
		}
	}
	if len(counts) != len(commonDashboards)+2 {
		t.Errorf("dashboards %v", counts)
	}
}

// What a recording rule makes is what the alerts read.
func TestAlertsReadWhatIsRecorded(t *testing.T) {
	recorded, read := map[string]bool{}, map[string]bool{}
	for _, r := range rules("[1m]", framedShown) {
		if (r.record == "") == (r.alert == "") {
			t.Errorf("rule %+v is not one of the two kinds", r)
		}
		if r.record != "" {
			recorded[r.record] = true
			continue
		}
		if r.severity == "" || r.summary == "" || r.detail == "" || r.pending == 0 {
			t.Errorf("alert %s is not whole", r.alert)
		}
		metricNames(t, r.expr, read)
	}
	for name := range read {
		if strings.Contains(name, ":") && !recorded[name] {
			t.Errorf("%s is read and never recorded", name)
		}
	}
}

// The published panels are there as published: three, first, over 15 s.
func TestThePublishedPanelsAreThere(t *testing.T) {
	var got []string
	for _, e := range Expressions(t, framedShown) {
		if e.Dashboard == framedDashboard && !strings.HasPrefix(e.Panel, "variable") && len(got) < 3 {
			got = append(got, strings.ReplaceAll(e.Expr, chosen, ""))
		}
	}
	want := []string{"framed_client_connected", "rate(framed_requests_received_total[15s])",
		"rate(framed_responses_sent_total[15s])"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
