package observe

import (
	"strings"
	"time"
)

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
func Expressions(service []Family) []Expression {
	var all []Expression
	for _, b := range boards(service) {
		for _, label := range []string{"run", "job", "instance"} {
			all = append(all, Expression{b.uid, "variable " + label, b.choices(label)})
		}
		for _, r := range b.rows {
			for _, p := range r.panels {
				for _, q := range p.queries {
					all = append(all, Expression{b.uid, p.title, expand(q.expr, windowScrapes*DefaultInterval)})
				}
			}
		}
	}
	for _, r := range rules(ruleWindow(DefaultInterval), service) {
		all = append(all, Expression{"rules", r.record + r.alert, r.expr})
	}
	return all
}

// Resolved returns the expression as Grafana sends it for a choice of the variables.
// window is what $__rate_interval stands for.
func (e Expression) Resolved(run, job, instance string, window time.Duration) string {
	return strings.NewReplacer(
		rateWindow, promDuration(window),
		"$run", run, "$job", job, "$instance", instance,
	).Replace(e.Expr)
}
