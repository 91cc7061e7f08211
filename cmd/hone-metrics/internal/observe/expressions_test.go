package observe

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

// dashboard is what the tests look at of a dashboard's JSON.
type dashboard struct {
	UID, Title, Description string
	Panels                  []struct {
		ID                       int
		Type, Title, Description string
		Targets                  []struct{ Expr, LegendFormat string }
		FieldConfig              struct {
			Defaults struct {
				Unit       string
				Custom     struct{ AxisLabel string }
				Thresholds struct{ Steps []struct{ Value *float64 } }
			}
			Overrides []any
		}
	}
	Templating struct {
		List []struct {
			Name, Query string
			Current     struct{ Value string }
		}
	}
}

// dashboardsOf reads the dashboards that are written for a service that shows these metrics,
// with the default interval.
func dashboardsOf(t testing.TB, service []Family) (all []dashboard) {
	t.Helper()
	files, err := Files(Stack{Families: service})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasPrefix(f.Name, "grafana/dashboards/") {
			continue
		}
		var d dashboard
		if err := json.Unmarshal(f.Text, &d); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		all = append(all, d)
	}
	return all
}

// Expression is one expression in PromQL of what is written.
type Expression struct {
	// Dashboard is the uid of a dashboard, or "rules".
	Dashboard string
	// Panel is the panel's title, "variable NAME", or the name of a rule.
	Panel string
	// Expr still has Grafana's variables in it; Resolved replaces them.
	Expr string
}

// Expressions returns every expression of the dashboards and the rules, and the
// selectors of the dashboards' variables, as a stack with the default interval has them for a
// service that shows these metrics.
func Expressions(t testing.TB, service []Family) []Expression {
	t.Helper()
	var all []Expression
	for _, d := range dashboardsOf(t, service) {
		for _, label := range []string{"run", "job", "instance"} {
			all = append(all, Expression{d.UID, "variable " + label, d.choices(t, label)})
		}
		for _, p := range d.Panels {
			for _, q := range p.Targets {
				all = append(all, Expression{d.UID, p.Title, q.Expr})
			}
		}
	}
	for _, r := range rules(ruleWindow(DefaultInterval), service) {
		all = append(all, Expression{"rules", r.record + r.alert, r.expr})
	}
	return all
}

// choices is the selector of the series among whose labels a variable chooses.
func (d dashboard) choices(t testing.TB, label string) string {
	t.Helper()
	for _, v := range d.Templating.List {
		if v.Name == label {
			selector, ok := strings.CutPrefix(v.Query, "label_values(")
			if selector, ok2 := strings.CutSuffix(selector, ", "+label+")"); ok && ok2 {
				return selector
			}
		}
	}
	t.Fatalf("%s has no variable %s with label_values", d.UID, label)
	return ""
}

// Resolved returns the expression as Grafana sends it for a choice of the variables.
// window is what $__rate_interval stands for.
func (e Expression) Resolved(run, job, instance string, window time.Duration) string {
	return strings.NewReplacer(
		rateWindow, "["+promDuration(window)+"]",
		"$run", run, "$job", job, "$instance", instance,
	).Replace(e.Expr)
}

// Each variable narrows the ones after it, and begins with the job that the dashboard is for.
func TestVariablesNarrowEachOther(t *testing.T) {
	jobs := map[string]string{
		framedDashboard: jobService, serviceDashboard: jobService, "hone-node": jobNode, "hone-go-runtime": jobService,
		"hone-runs": jobHone,
	}
	for _, d := range slices.Concat(dashboardsOf(t, framedShown), dashboardsOf(t, nil)) {
		anchor := d.choices(t, "run")
		if anchor == "" || d.choices(t, "job") != anchor+`{run=~"$run"}` ||
			d.choices(t, "instance") != anchor+`{run=~"$run",job="$job"}` {
			t.Errorf("%s: the variables are %+v", d.UID, d.Templating.List)
		}
		for _, v := range d.Templating.List {
			if v.Name == "job" && v.Current.Value != jobs[d.UID] {
				t.Errorf("%s begins with job %q, want %q", d.UID, v.Current.Value, jobs[d.UID])
			}
		}
	}
}
