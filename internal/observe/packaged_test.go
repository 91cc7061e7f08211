package observe

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/remotewrite"
)

// patience bounds every wait for an event. It is an end to a hanging test, not an
// assertion.
const patience = 90 * time.Second

// tool finds a program of the packages prometheus and prometheus-node-exporter.
func tool(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("no %s here (apt-get install prometheus prometheus-node-exporter)", names[0])
	return ""
}

// written writes a stack for the packaged Prometheus. Releases before 3 know no key for
// native histograms: there they are a flag of the program.
func written(t *testing.T, s Stack, prometheus string) (config string) {
	t.Helper()
	dir := t.TempDir()
	if _, err := Write(dir, mustFiles(t, s), false); err != nil {
		t.Fatal(err)
	}
	config = filepath.Join(dir, "prometheus", "prometheus.yaml")
	if majorOf(t, prometheus) < 3 {
		edit(t, config, func(text string) string {
			return strings.ReplaceAll(text, "    scrape_native_histograms: true\n", "")
		})
	}
	return config
}

func edit(t *testing.T, name string, change func(string) string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	put(t, change(string(text)), name)
}

func majorOf(t *testing.T, program string) int {
	t.Helper()
	out, err := exec.Command(program, "--version").CombinedOutput()
	found := regexp.MustCompile(`version (\d+)\.`).FindSubmatch(out)
	if err != nil || found == nil {
		t.Fatalf("%s --version: %v\n%s", program, err, out)
	}
	major, _ := strconv.Atoi(string(found[1]))
	return major
}

// Prometheus' own tool takes the configuration and the rules.
func TestPromtoolTakesWhatIsWritten(t *testing.T) {
	promtool := tool(t, "promtool")
	for _, s := range []Stack{{}, {Service: "[::1]:80", Interval: 2 * time.Minute}} {
		config := written(t, s, promtool)
		rules := filepath.Join(filepath.Dir(config), "rules.yaml")
		for _, args := range [][]string{{"check", "config", config}, {"check", "rules", rules}} {
			out, err := exec.Command(promtool, args...).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "SUCCESS") {
				t.Errorf("promtool %v: %v\n%s", args, err, out)
			}
		}
	}
}

// The alerts fire when they should and not otherwise, by Prometheus' own test of rules.
func TestAlertsFireWhenTheyShould(t *testing.T) {
	promtool := tool(t, "promtool")
	config := written(t, Stack{}, promtool)
	story, err := os.ReadFile("testdata/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	test := put(t, string(story), filepath.Dir(config), "alerts.yaml")
	out, err := exec.Command(promtool, "test", "rules", test).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "SUCCESS") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The packaged Prometheus reaches every target of the stack, and every expression of the
// dashboards and the rules has an answer that is not empty, but for what is named.
func TestPackagedPrometheusAnswersEveryPanel(t *testing.T) {
	r := startRig(t)
	await(t, func() string {
		up := map[string]bool{}
		a := get(t.Context(), r.api, "/api/v1/targets", nil)
		for _, target := range a.Data.ActiveTargets {
			up[target.Labels["job"]] = target.Health == "up"
		}
		if len(up) == 4 && up[jobPrometheus] && up[jobService] && up[jobNode] && up[jobHone] {
			return ""
		}
		return fmt.Sprintf("targets up: %v %s", up, a.Error)
	})
	instances := map[string]struct{ job, instance string }{
		framedBoard().uid: {jobService, r.service}, nodeBoard().uid: {jobNode, r.node},
		goBoard().uid: {jobService, r.service}, honeBoard().uid: {jobHone, r.load},
		"rules": {},
	}
	pages := []string{namesAt(t, "http://"+r.service+"/metrics"), namesAt(t, "http://"+r.node+"/metrics"), namesAt(t, "http://"+r.load+"/metrics")}
	asked := 0
	for _, e := range Expressions() {
		of, ok := instances[e.Dashboard]
		if !ok {
			t.Fatalf("which instance has the dashboard %s?", e.Dashboard)
		}
		expr := e.Resolved(".*", of.job, of.instance, 20*r.interval)
		if e.Dashboard == "rules" {
			expr = withoutLimit(expr)
		}
		expr = strings.ReplaceAll(expr, "[15s]", "[2s]") // of the published panels: there are not so many scrapes yet
		if why, missing := absentAt(t, expr, pages); missing {
			a := get(t.Context(), r.api, "/api/v1/query", url.Values{"query": {expr}})
			if a.Status != "success" {
				t.Errorf("%s, %s: %s\n%s", e.Dashboard, e.Panel, a.Error, expr)
			}
			t.Logf("%s, %s: may be empty, no target has %s", e.Dashboard, e.Panel, why)
			continue
		}
		asked++
		await(t, func() string {
			a := get(t.Context(), r.api, "/api/v1/query", url.Values{"query": {expr}})
			switch {
			case a.Status != "success":
				return fmt.Sprintf("%s, %s: %s\n%s", e.Dashboard, e.Panel, a.Error, expr)
			case len(a.Data.Result) == 0:
				return fmt.Sprintf("%s, %s is empty: %s", e.Dashboard, e.Panel, expr)
			}
			return ""
		})
	}
	if asked < 70 {
		t.Errorf("only %d expressions were to have an answer", asked)
	}
}

// A run of the day before is taken, as hone metrics push sends it.
func TestPackagedPrometheusTakesOldRuns(t *testing.T) {
	api := startPrometheus(t, Stack{Interval: 200 * time.Millisecond}, freeAddress(t))
	when := time.Now().Add(-24 * time.Hour).Truncate(time.Second)
	db, err := tsdb.Open(t.TempDir(), nil, nil, tsdb.DefaultOptions(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	series := labels.FromStrings("__name__", "hone_load_connections", "run", "r1", "job", "hone", "instance", "hone")
	app := db.AppenderV2(t.Context())
	if _, err := app.Append(0, series, 0, when.UnixMilli(), 42, nil, nil, storage.AppendV2Options{}); err != nil {
		t.Fatal(err)
	}
	if err := app.Commit(); err != nil {
		t.Fatal(err)
	}
	await(t, func() string { // the newest sample of its own that makes the other one old
		a := get(t.Context(), api, "/api/v1/query", url.Values{"query": {"up"}})
		if len(a.Data.Result) > 0 {
			return ""
		}
		return "Prometheus has scraped nothing: " + a.Error
	})
	selection := remotewrite.Selection{
		From: when, To: when, Matchers: []*labels.Matcher{labels.MustNewMatcher(labels.MatchEqual, "run", "r1")},
	}
	if stats, err := remotewrite.Push(t.Context(), api+"/api/v1/write", db, selection, remotewrite.Options{}); err != nil || stats.Samples != 1 {
		t.Fatalf("%+v, %v, %s", stats, err, fail.HintOf(err))
	}
	query := url.Values{"query": {`hone_load_connections{run="r1"}`}, "time": {strconv.FormatInt(when.Unix(), 10)}}
	if a := get(t.Context(), api, "/api/v1/query", query); len(a.Data.Result) != 1 || !strings.Contains(string(a.Data.Result[0]), `"42"`) {
		t.Errorf("%+v", a)
	}
}

// withoutLimit leaves of an alert what it holds against its limit.
func withoutLimit(expr string) string {
	return regexp.MustCompile(` (>|==) [0-9.]+`).ReplaceAllString(expr, "")
}
