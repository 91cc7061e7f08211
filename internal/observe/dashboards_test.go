package observe

import (
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/gohone/hone/internal/metrics"
)

// strictFaults are what the SDK's strict reading finds: fields that are unknown, missing or
// of another type. On success it returns an error that is an empty list, and of parts that
// are right it keeps nothing.
func strictFaults(text []byte) error {
	//lint:ignore SA1019 the classic form is meant, see render
	var read dashboard.Dashboard
	err := read.UnmarshalJSONStrict(text)
	if faults := (cog.BuildErrors)(nil); errors.As(err, &faults) && len(faults) == 0 {
		return nil
	}
	return err
}

// The SDK takes every dashboard strictly, and has read the same when it writes it again.
func TestDashboardsAreGrafanas(t *testing.T) {
	plugins.RegisterDefaultPlugins()
	for _, b := range boards(framedShown) {
		text, err := b.render(15 * time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if err := strictFaults(text); err != nil {
			t.Errorf("%s: %v", b.uid, err)
		}
		//lint:ignore SA1019 the classic form is meant, see render
		var read dashboard.Dashboard
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(read)
		if err != nil {
			t.Fatal(err)
		}
		if !sameJSON(t, again, text) {
			t.Errorf("%s is another dashboard once the SDK has read it", b.uid)
		}
		ids := map[uint32]bool{}
		for _, p := range read.Panels {
			if p.Panel != nil {
				ids[*p.Panel.Id] = true
			} else {
				ids[p.RowPanel.Id] = true
			}
		}
		want := 0
		for _, r := range b.rows {
			want += 1 + len(r.panels)
		}
		if len(read.Panels) != want || len(ids) != want {
			t.Errorf("%s: %d panels and rows with %d numbers, want %d", b.uid, len(read.Panels), len(ids), want)
		}
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var texts [2]string
	for i, raw := range [][]byte{a, b} {
		var v any
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(out)
	}
	return texts[0] == texts[1]
}

// The strict reading finds faults at every depth: the test above can fail.
func TestStrictReadingFindsFaults(t *testing.T) {
	plugins.RegisterDefaultPlugins()
	text, err := framedBoard().render(15 * time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"schemaVersion", "gridPos", "legendFormat", "axisLabel", "allValue"} {
		broken := strings.Replace(string(text), `"`+key+`"`, `"`+key+`X"`, 1)
		if err := strictFaults([]byte(broken)); broken == string(text) || err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%sX is read: %v", key, err)
		}
	}
}

// Every panel says what it shows, in which unit, and what to look for; every line has a
// name; no two panels of a dashboard have one name.
func TestPanelsAreExplained(t *testing.T) {
	uids := map[string]bool{}
	for _, b := range boards(framedShown) {
		if uids[b.uid] || len(b.uid) < 8 || len(b.uid) > 40 || b.title == "" || b.about == "" || b.anchor == "" || b.job == "" {
			t.Errorf("dashboard %q is not whole, or there twice", b.uid)
		}
		uids[b.uid] = true
		titles := map[string]bool{}
		for _, r := range b.rows {
			for _, p := range r.panels {
				at := b.uid + ", " + p.title
				if titles[p.title] || p.title == "" {
					t.Errorf("%s: the name is there twice, or empty", at)
				}
				titles[p.title] = true
				if len(p.about) < 60 || !strings.HasSuffix(p.about, ".") || p.unit == "" || p.label == "" || len(p.queries) == 0 {
					t.Errorf("%s: about %q, unit %q, label %q, %d queries", at, p.about, p.unit, p.label, len(p.queries))
				}
				if len(p.queries) > len(palette) || len(p.series) > len(palette) {
					t.Errorf("%s: %d queries and %d series for %d colours", at, len(p.queries), len(p.series), len(palette))
				}
				for _, q := range p.queries {
					if q.legend == "" {
						t.Errorf("%s: %s has no name", at, q.expr)
					}
				}
			}
		}
	}
}

// Only colours of the palette are used. In the classic palettes of Grafana red and green
// stand side by side.
func TestColoursCanBeToldApart(t *testing.T) {
	hex := regexp.MustCompile(`#[0-9A-Fa-f]{6}`)
	for _, b := range boards(framedShown) {
		text, err := b.render(15 * time.Second)
		if err != nil {
			t.Fatal(err)
		}
		for _, colour := range hex.FindAllString(string(text), -1) {
			if !slices.Contains(palette, colour) {
				t.Errorf("%s has the colour %s", b.uid, colour)
			}
		}
		for _, word := range []string{`"green"`, `"red"`, "palette-classic", "continuous-"} {
			if strings.Contains(string(text), word) {
				t.Errorf("%s has %s", b.uid, word)
			}
		}
	}
}

// metricNames walks an expression and collects the names of the metrics in it.
func metricNames(t *testing.T, expr string, into map[string]bool) {
	t.Helper()
	parsed, err := metrics.Parser().ParseExpr(expr)
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
	all := Expressions(framedShown)
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
	if len(counts) != len(boards(framedShown))+1 {
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
	for _, e := range Expressions(framedShown) {
		if e.Dashboard == framedBoard().uid && !strings.HasPrefix(e.Panel, "variable") && len(got) < 3 {
			got = append(got, strings.ReplaceAll(e.Expr, "{"+chosen+"}", ""))
		}
	}
	want := []string{"framed_client_connected", "rate(framed_requests_received_total[15s])", "rate(framed_responses_sent_total[15s])"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
