package observe

import (
	"encoding/json"
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

	"github.com/gohone/hone/cmd/hone-metrics/internal/remotewrite"
	"github.com/gohone/hone/internal/text/fail"
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
	for _, s := range []Stack{{}, {Families: framedShown}, {Service: "[::1]:80", Interval: 2 * time.Minute}} {
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
	config := written(t, Stack{Families: framedShown}, promtool)
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
// dashboards and the rules has an answer, but for what is named.
func TestPackagedPrometheusAnswersEveryPanel(t *testing.T) {
	t.Parallel() // it mostly waits for scrapes
	r := startRig(t)
	await(t, func() string {
		var data struct {
			ActiveTargets []struct {
				Labels            map[string]string
				Health, LastError string
			}
		}
		err := get(t.Context(), r.api, "/api/v1/targets", nil).into(&data)
		up := map[string]bool{}
		for _, target := range data.ActiveTargets {
			up[target.Labels["job"]] = target.Health == "up"
		}
		if len(up) == 4 && up[jobPrometheus] && up[jobService] && up[jobNode] && up[jobHone] {
			return ""
		}
		return fmt.Sprintf("targets up: %v, %v", up, err)
	})
	of := map[string]struct{ job, instance string }{
		framedDashboard: {jobService, r.service}, "hone-node": {jobNode, r.node},
		"hone-go-runtime": {jobService, r.service}, "hone-runs": {jobHone, r.load},
		"rules": {},
	}
	pages := []string{namesAt(t, "http://"+r.service+"/metrics"), namesAt(t, "http://"+r.node+"/metrics"),
		namesAt(t, "http://"+r.load+"/metrics")}
	questions, n := asked{api: r.api, window: 10 * r.interval}, 0
	for _, e := range Expressions(t, framedShown) {
		choice, ok := of[e.Dashboard]
		if !ok {
			t.Fatalf("which instance has the dashboard %s?", e.Dashboard)
		}
		if e.Dashboard == "rules" {
			e.Expr = withoutLimit(e.Expr)
		}
		if why, absent := absentAt(t, e, pages); absent {
			found, err := questions.find(t.Context(), e, anyRun, choice.job, choice.instance)
			if err != nil || found > 0 {
				t.Errorf("%s, %s: %d answers, %v, though %s", e.Dashboard, e.Panel, found, err, why)
			}
			continue
		}
		n++
		questions.awaitAnswer(t, e, anyRun, choice.job, choice.instance)
	}
	if n < 70 {
		t.Errorf("only %d expressions were to have an answer", n)
	}
}

// A run of the day before is taken, as hone metrics push sends it.
func TestPackagedPrometheusTakesOldRuns(t *testing.T) {
	t.Parallel() // it mostly waits for scrapes
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
		if n, err := (asked{api: api}).find(t.Context(), Expression{Expr: "up"}, anyRun, "", ""); n == 0 {
			return fmt.Sprintf("Prometheus has scraped nothing: %v", err)
		}
		return ""
	})
	selection := remotewrite.Selection{
		From: when, To: when, Matchers: []*labels.Matcher{labels.MustNewMatcher(labels.MatchEqual, "run", "r1")},
	}
	if stats, err := remotewrite.Push(t.Context(), api+"/api/v1/write", db, selection,
		remotewrite.Options{}); err != nil || stats.Samples != 1 {
		t.Fatalf("%+v, %v, %s", stats, err, fail.HintOf(err))
	}
	var data struct{ Result []json.RawMessage }
	query := url.Values{"query": {`hone_load_connections{run="r1"}`}, "time": {strconv.FormatInt(when.Unix(), 10)}}
	err = get(t.Context(), api, "/api/v1/query", query).into(&data)
	if err != nil || len(data.Result) != 1 || !strings.Contains(string(data.Result[0]), `"42"`) {
		t.Errorf("found %s, %v", data.Result, err)
	}
}

// withoutLimit leaves of an alert what it holds against its limit.
func withoutLimit(expr string) string {
	return regexp.MustCompile(` (>|==) [0-9.]+`).ReplaceAllString(expr, "")
}
