package observe

import (
	"context"
	"math"
	"net/http/httptest"
	"os"
	runtimemetrics "runtime/metrics"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/prometheus/storage"

	"github.com/gohone/hone/cmd/hone-metrics/internal/library"
	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/program/metrics/goruntime"
	"github.com/gohone/hone/internal/program/metrics/host"
	"github.com/gohone/hone/internal/program/metrics/process"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/usage"
)

// What hone itself records of a run of the framed server fills the same dashboards: every
// expression has an answer from hone's API, but for what is named.
func TestRecordedRunAnswersEveryPanel(t *testing.T) {
	t.Parallel() // it mostly waits for scrapes
	const run, interval = "r1", 250 * time.Millisecond
	server := startFramed(t)
	machine, err := host.New()
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]prometheus.Gatherer{
		metrics.JobLoad: registryOf(startLoad(t, server.address)),
		metrics.JobGo:   registryOf(goruntime.New(runtimeOfThis, 0), process.New(usageOfThis, os.Getpid)),
		metrics.JobNode: registryOf(machine),
	}
	pages := map[string]string{metrics.JobSubject: namesAt(t, server.page.String())}
	for job, g := range sources {
		pages[job] = shown(g)
	}
	recorder, all, api := recordedAPI(t, metrics.RunOptions{Run: run, Interval: interval, Sources: sources}, server.page)
	questions, n := asked{api: api, window: 10 * interval}, 0
	for _, e := range Expressions(t, framedShown) {
		for _, job := range jobsOf[e.Dashboard] {
			instance, there := "hone", []string{pages[job]}
			if job == metrics.JobSubject {
				instance = server.page.Host
			}
			if e.Dashboard != "hone-go-runtime" { // which alone reads what two jobs have
				there = []string{pages[metrics.JobSubject], pages[metrics.JobGo], pages[metrics.JobNode], pages[metrics.JobLoad]}
			}
			if why, absent := absentAt(t, e, there); absent {
				if found, err := questions.find(t.Context(), e, run, job, instance); err != nil || found > 0 {
					t.Errorf("%s, %s, job %s: %d answers, %v, though %s", e.Dashboard, e.Panel, job, found, err, why)
				}
				continue
			}
			n++
			questions.awaitAnswer(t, e, run, job, instance)
		}
	}
	q, done, err := all.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	admitted(t, q, run, server.page.Host)
	if err := done(); err != nil {
		t.Fatal(err)
	}
	for _, fault := range recorder.Faults() { // a scrape may fail on a machine that is busy
		t.Log(fault)
	}
	if n < 100 {
		t.Errorf("only %d expressions were to have an answer", n)
	}
}

// admitted holds all expressions of the dashboards against the bounds of queries: over a
// day in steps of a minute, and over a quarter of an hour in seconds while hone measures.
func admitted(t *testing.T, q storage.Queryable, run, instance string) {
	t.Helper()
	now := time.Now()
	for _, c := range []struct {
		bounds library.Bounds
		back   time.Duration
		step   time.Duration
	}{{library.Usual, 24 * time.Hour, time.Minute}, {library.Bounds{Points: 1_000_000, Timeout: 5 * time.Second}, 15 * time.Minute, time.Second}} {
		engine := library.NewEngine(c.bounds)
		for _, e := range Expressions(t, framedShown) {
			if strings.HasPrefix(e.Panel, "variable ") {
				continue // no query
			}
			for _, job := range jobsOf[e.Dashboard] {
				expr := e.Resolved(run, job, instance, time.Minute)
				if _, err := library.Over(t.Context(), engine, q, expr, now.Add(-c.back), now, c.step); err != nil {
					t.Errorf("%s, %s, over %v: %v", e.Dashboard, e.Panel, c.back, err)
				}
			}
		}
	}
}

// jobsOf are the jobs in hone's store that a dashboard is for. The rules are Prometheus'.
var jobsOf = map[string][]string{
	framedDashboard:   {metrics.JobSubject},
	"hone-node":       {metrics.JobNode},
	"hone-go-runtime": {metrics.JobSubject, metrics.JobGo},
	"hone-runs":       {metrics.JobLoad},
}

// shown is the page of a gatherer.
func shown(g prometheus.Gatherer) string {
	w := httptest.NewRecorder()
	promhttp.HandlerFor(g, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	return w.Body.String()
}

// runtimeOfThis reads the runtime of this process as hone's probe does.
func runtimeOfThis(context.Context) (probeclient.Metrics, error) {
	var samples []runtimemetrics.Sample
	for _, d := range runtimemetrics.All() {
		samples = append(samples, runtimemetrics.Sample{Name: d.Name})
	}
	runtimemetrics.Read(samples)
	read := probeclient.Metrics{}
	for _, s := range samples {
		switch s.Value.Kind() {
		case runtimemetrics.KindUint64:
			read[s.Name] = probeclient.Metric{Uint64: s.Value.Uint64(), Value: float64(s.Value.Uint64())}
		case runtimemetrics.KindFloat64:
			read[s.Name] = probeclient.Metric{Value: s.Value.Float64()}
		case runtimemetrics.KindFloat64Histogram:
			h, m := s.Value.Float64Histogram(), probeclient.Metric{Value: math.NaN(), Histogram: probeclient.Histogram{}}
			for i, n := range h.Counts {
				m.Histogram = append(m.Histogram, probeclient.Bin{From: h.Buckets[i], To: h.Buckets[i+1], Count: n})
			}
			read[s.Name] = m
		}
	}
	return read, nil
}

// usageOfThis is what the kernel says of this process.
func usageOfThis() (u usage.Reading, err error) {
	var used syscall.Rusage
	err = syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	u.CPU = time.Duration(used.Utime.Nano() + used.Stime.Nano())
	u.Voluntary, u.Involuntary = uint64(used.Nvcsw), uint64(used.Nivcsw)
	return u, err
}
