package library

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gohone/hone/cmd/hone-metrics/internal/promapi/promtest"
	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/load"
)

// The packaged Prometheus and hone scrape the same service and the same load,
// and give the same answers.
func TestPackagedPrometheusAgrees(t *testing.T) {
	svc := startService(t)
	l := metrics.NewLoad(1000)
	own := prometheus.NewRegistry()
	own.MustRegister(l)
	page := httptest.NewServer(promhttp.HandlerFor(own, promhttp.HandlerOpts{EnableOpenMetrics: true}))
	defer page.Close()
	config := func(major int) string {
		histograms := ""
		if major >= 3 { // before, it was a flag of the program alone
			histograms = ", scrape_native_histograms: true"
		}
		return fmt.Sprintf(`
global: {scrape_interval: 100ms, scrape_timeout: 100ms%s}
scrape_configs:
- {job_name: subject, static_configs: [{targets: [%q]}]}
- {job_name: hone, metrics_path: /, static_configs: [{targets: [%q]}]}
`, histograms, svc.page.Host, strings.TrimPrefix(page.URL, "http://"))
	}
	packaged := promtest.StartWith(t, config, t.TempDir(), "--enable-feature=native-histograms")
	store := metrics.In(t.TempDir())
	r, err := store.Record(metrics.RunOptions{Run: "r1", Interval: 200 * time.Millisecond,
		Sources: map[string]prometheus.Gatherer{metrics.JobLoad: own}})
	if err != nil {
		t.Fatal(err)
	}
	r.Visit(*svc.page, false)

	var state metrics.LoadState
	for i := range 20 { // what happens while both look
		svc.requests.Add(float64(100 + i))
		show(t, l, &state, sliceOf(t, 50, time.Duration(1+i)*time.Millisecond))
		svc.scraped(t, 2)
	}
	svc.scraped(t, 6) // and both have seen its end
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	exprs := []string{
		`requests_total`, `hone_load_requests_sent_total`, `hone_load_requests_answered_total`, `hone_load_connections`,
		`sum by (cause) (hone_load_requests_failed_total)`, `hone_load_rate_asked`, `sum(up)`,
		`histogram_count(hone_load_latency_seconds)`, `histogram_sum(hone_load_latency_seconds)`,
		`requests_total / ignoring(job, instance) hone_load_requests_sent_total`,
	}
	if packaged.Major >= 3 { // before, it interpolated within a bucket in another way
		exprs = append(exprs, `histogram_quantile(0.5, hone_load_latency_seconds)`,
			`histogram_quantile(0.99, hone_load_latency_seconds)`)
	}
	for _, expr := range exprs {
		mine := last(t, store, `sum without (run, instance) (`+expr+`)`)
		theirs := map[string]float64{}
		waitFor(t, expr, func() bool {
			theirs = ask(t, packaged.URL, `sum without (instance) (`+expr+`)`)
			return len(theirs) > 0
		})
		if fmt.Sprint(mine) != fmt.Sprint(theirs) {
			t.Errorf("%s: recorded %v, packaged %s %v", expr, mine, packaged.Version, theirs)
		}
	}
}

// sliceOf is a slice of n answers that took d each.
func sliceOf(t *testing.T, n int64, d time.Duration) load.Slice {
	t.Helper()
	h := hdrhistogram.New(1, 60e9, 3)
	if err := h.RecordValues(int64(d), n); err != nil {
		t.Fatal(err)
	}
	s := load.Slice{Latencies: load.Latencies{Service: h}, Connections: load.Connections{Live: 3},
		Counts: load.Counts{Sent: uint64(n) + 1, Answered: uint64(n), Failed: 1}}
	s.Causes[load.Timeout] = 1
	return s
}

// ask queries a Prometheus: series -> value.
func ask(t *testing.T, base, expr string) map[string]float64 {
	t.Helper()
	response, err := http.Get(base + "/api/v1/query?query=" + url.QueryEscape(expr))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct {
		Status string
		Error  string
		Data   struct {
			Result []struct {
				Metric map[string]string
				Value  [2]any
			}
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || answer.Status != "success" {
		t.Fatalf("%s: %v %s", expr, err, answer.Error)
	}
	found := map[string]float64{}
	for _, r := range answer.Data.Result {
		var labels []string
		for name, value := range r.Metric {
			labels = append(labels, fmt.Sprintf("%s=%q", name, value))
		}
		var value float64
		if _, err := fmt.Sscan(r.Value[1].(string), &value); err != nil {
			t.Fatal(err)
		}
		found["{"+strings.Join(labels, ", ")+"}"] = value // of one label at most: no order
	}
	return found
}
