package observe

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
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

// rig is the packaged Prometheus on what is written, with a framed server under load, the
// packaged node_exporter and a page of hone's load.
type rig struct {
	api      string
	service  string // instance of the service
	node     string
	load     string
	interval time.Duration
}

func startRig(t *testing.T) rig {
	t.Helper()
	prometheus := tool(t, "prometheus")
	exporter := tool(t, "prometheus-node-exporter", "node_exporter")
	server := startFramed(t)
	own := httptest.NewServer(pageOf(startLoad(t, server.address)))
	t.Cleanup(own.Close)

	r := rig{
		api: "http://" + freeAddress(t), node: freeAddress(t),
		service: server.page.Host, load: strings.TrimPrefix(own.URL, "http://"),
		interval: 200 * time.Millisecond,
	}
	config := written(t, Stack{Service: r.service, Hone: r.load, Interval: r.interval}, prometheus)
	edit(t, config, func(text string) string {
		text = strings.ReplaceAll(text, fmt.Sprintf("127.0.0.1:%d", nodePort), r.node)
		return strings.ReplaceAll(text, fmt.Sprintf("127.0.0.1:%d", prometheusPort), strings.TrimPrefix(r.api, "http://"))
	})
	start(t, exporter, "--web.listen-address="+r.node, "--no-collector.systemd")
	args := []string{
		"--config.file=" + config, "--storage.tsdb.path=" + t.TempDir(),
		"--web.listen-address=" + strings.TrimPrefix(r.api, "http://"),
	}
	if majorOf(t, prometheus) < 3 {
		args = append(args, "--enable-feature=native-histograms")
	}
	start(t, prometheus, args...)
	return r
}

// freeAddress is a port of this machine that is free now.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// start runs a program until the end of the test, and shows what it said if that failed.
func start(t *testing.T, program string, args ...string) {
	t.Helper()
	log := put(t, "", t.TempDir(), "log")
	file, err := os.OpenFile(log, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = file, file
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		file.Close()
		if text, err := os.ReadFile(log); t.Failed() && err == nil {
			t.Logf("%s:\n%s", filepath.Base(program), text)
		}
	})
}

// answer is what Prometheus' API says.
type answer struct {
	Status, Error string
	Data          struct {
		Result        []json.RawMessage
		ActiveTargets []struct {
			Labels    map[string]string
			Health    string
			LastError string
		}
	}
}

// get asks the API; an error of the connection is one of the answer.
func (r rig) get(ctx context.Context, path string, query url.Values) (a answer) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.api+path+"?"+query.Encode(), nil)
	if err != nil {
		return answer{Error: err.Error()}
	}
	request.Close = true
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{Error: err.Error()}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		return answer{Error: fmt.Sprintf("%v: %s", err, text)}
	}
	return a
}

// await polls until done says nothing is missing any more; what happens happens in other
// processes.
func await(t *testing.T, missing func() string) {
	t.Helper()
	end := time.Now().Add(patience)
	for {
		what := missing()
		if what == "" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("waited %v: %s", patience, what)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// The packaged Prometheus reaches every target of the stack, and every expression of the
// dashboards and the rules has an answer that is not empty, but for what is named.
func TestPackagedPrometheusAnswersEveryPanel(t *testing.T) {
	r := startRig(t)
	await(t, func() string {
		up := map[string]bool{}
		a := r.get(t.Context(), "/api/v1/targets", nil)
		for _, target := range a.Data.ActiveTargets {
			up[target.Labels["job"]] = target.Health == "up"
		}
		if len(up) == 4 && up[jobPrometheus] && up[jobService] && up[jobNode] && up[jobHone] {
			return ""
		}
		return fmt.Sprintf("targets up: %v %s", up, a.Error)
	})
	instances := map[string]struct{ job, instance string }{
		framedBoard.uid: {jobService, r.service}, nodeBoard.uid: {jobNode, r.node},
		goBoard.uid: {jobService, r.service}, honeBoard.uid: {jobHone, r.load},
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
			a := r.get(t.Context(), "/api/v1/query", url.Values{"query": {expr}})
			if a.Status != "success" {
				t.Errorf("%s, %s: %s\n%s", e.Dashboard, e.Panel, a.Error, expr)
			}
			t.Logf("%s, %s: may be empty, no target has %s", e.Dashboard, e.Panel, why)
			continue
		}
		asked++
		await(t, func() string {
			a := r.get(t.Context(), "/api/v1/query", url.Values{"query": {expr}})
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

// withoutLimit leaves of an alert what it holds against its limit.
func withoutLimit(expr string) string {
	return regexp.MustCompile(` (>|==) [0-9.]+`).ReplaceAllString(expr, "")
}

// namesAt is a page of metrics.
func namesAt(t *testing.T, page string) string {
	t.Helper()
	response, err := http.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// mayBeAbsent are metrics that a target may have or not, and why. What is not here must
// be there.
var mayBeAbsent = map[string]string{
	"node_pressure_":            "the kernel has no pressure stall information, or shows it to nobody here",
	"node_filesystem_":          "a container has no file system but its own",
	"node_disk_":                "the machine shows no disks",
	"process_read_calls_total":  "only hone counts system calls",
	"process_write_calls_total": "only hone counts system calls",
	"process_context_switches_": "only hone counts a process' context switches",
	"go_cpu_classes_":           "the default collector does not show it",
	"instance:go_collector_cpu": "it follows from go_cpu_classes_, which the default collector does not show",
	"go_gc_heap_":               "the default collector does not show it",
	"go_sched_latencies_":       "the default collector does not show it",
	"go_sched_pauses_":          "the default collector has a summary without it",
	"go_sync_mutex_wait_":       "the default collector does not show it",
}

// absentAt says whether an expression cannot have an answer, since no target has one of
// its metrics and that is one that may be absent.
func absentAt(t *testing.T, expr string, pages []string) (why string, absent bool) {
	t.Helper()
	if strings.Contains(expr, " or ") {
		return "", false // the other side has to be there
	}
	names := map[string]bool{}
	metricNames(t, expr, names)
	for name := range names {
		for prefix, reason := range mayBeAbsent {
			if !strings.HasPrefix(name, prefix) {
				continue
			}
			there := false
			for _, page := range pages {
				there = there || strings.Contains(page, "\n"+name)
			}
			if !there {
				return name + ": " + reason, true
			}
		}
	}
	return "", false
}
