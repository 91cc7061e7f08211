package observe

import (
	"bytes"
	"embed"
	"fmt"
	"strconv"
	"strings"
	"text/template"
	"time"
)

//go:embed stack
var stackFiles embed.FS

// File is one file of the stack.
type File struct {
	// Name is the path below the directory, with slashes.
	Name string
	Text []byte
}

// The uids of the data sources, by which dashboards know them.
const (
	dataSource     = "hone-prometheus"
	honeDataSource = "hone-recordings"
)

// honeInterval is how often hone itself scrapes while it records a run.
const honeInterval = time.Second

// Files returns what s amounts to, in the order in which it is written. It reports all
// faults of s at once.
func Files(s Stack) ([]File, error) {
	s = s.withDefaults()
	if err := s.Validate(); err != nil {
		return nil, err
	}
	var files []File
	facts := factsOf(s)
	for _, f := range []struct{ name, template string }{
		{"compose.yaml", "compose.yaml"},
		{"prometheus/prometheus.yaml", "prometheus.yaml"},
		{"prometheus/rules.yaml", "rules.yaml"},
		{"grafana/provisioning/datasources/hone.yaml", "datasources.yaml"},
		{"grafana/provisioning/dashboards/hone.yaml", "dashboards.yaml"},
	} {
		text, err := fill(f.template, facts)
		if err != nil {
			return nil, fmt.Errorf("render %s: %w", f.name, err)
		}
		files = append(files, File{f.name, text})
	}
	for _, uid := range append([]string{home(s.Families)}, commonDashboards...) {
		text, err := s.dashboard(uid)
		if err != nil {
			return nil, fmt.Errorf("render dashboard %s: %w", uid, err)
		}
		files = append(files, File{"grafana/dashboards/" + uid + ".json", text})
	}
	return files, nil
}

// facts are what the templates in stack/ are filled with.
type facts struct {
	Images                                images
	PrometheusPort, NodePort, GrafanaPort int
	Service, Hone, Interval               string
	Jobs                                  struct{ Prometheus, Service, Node, Hone string }
	DataSource, HoneDataSource, Home      string
	HoneInterval                          string
	Groups                                []ruleGroup
}

// ruleGroup and ruleFacts are the rules as the template takes them.
type ruleGroup struct {
	Name  string
	Rules []ruleFacts
}

type ruleFacts struct {
	Record, Alert, Expr, For, Severity, Summary, Detail string
}

func factsOf(s Stack) facts {
	f := facts{
		Images:         pinned,
		PrometheusPort: prometheusPort, NodePort: nodePort, GrafanaPort: grafanaPort,
		Service: s.Service, Hone: s.Hone, Interval: promDuration(s.Interval),
		DataSource: dataSource, HoneDataSource: honeDataSource, Home: home(s.Families),
		HoneInterval: promDuration(honeInterval),
		Groups:       []ruleGroup{{Name: "hone-recorded"}, {Name: "hone-alerts"}},
	}
	f.Jobs.Prometheus, f.Jobs.Service, f.Jobs.Node, f.Jobs.Hone = jobPrometheus, jobService, jobNode, jobHone
	for _, r := range rules(ruleWindow(s.Interval), s.Families) {
		group := &f.Groups[0]
		if r.alert != "" {
			group = &f.Groups[1]
		}
		group.Rules = append(group.Rules, ruleFacts{
			Record: r.record, Alert: r.alert, Expr: r.expr, For: promDuration(max(r.pending, 2*s.Interval)),
			Severity: r.severity, Summary: r.summary, Detail: r.detail,
		})
	}
	return f
}

// ruleWindow is the window of the rules' rates, in brackets: a minute, or four scrapes
// where those take longer, so that one that fails does not empty it.
func ruleWindow(interval time.Duration) string {
	return "[" + promDuration(max(time.Minute, 4*interval)) + "]"
}

// fill fills a template of stack/.
func fill(name string, data any) ([]byte, error) {
	t, err := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{
		"quote":  strconv.Quote, // of addresses, which are ASCII: YAML's double quotes read the same
		"single": single,
		"json":   jsonText,
		"refID":  func(i int) string { return string(rune('A' + i)) }, // of a panel's queries
	}).ParseFS(stackFiles, "stack/"+name)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, data)
	return out.Bytes(), err
}

// single quotes text for YAML in single quotes, in which a backslash is itself.
func single(text string) string {
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// number writes a limit as PromQL does.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
