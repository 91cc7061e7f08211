package observe

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/gohone/hone/cmd/hone-metrics/internal/library"
	"github.com/gohone/hone/cmd/hone-metrics/internal/promapi"
	"github.com/gohone/hone/internal/program/metricname"
	"github.com/gohone/hone/internal/program/metrics"
)

// framedShown are the metrics by which the framed server is known.
var framedShown = []Family{{Name: "framed_client_connected", Kind: KindGauge},
	{Name: "framed_requests_received_total", Kind: KindCounter}}

// shopPage is a page of metrics of some service.
const shopPage = `# HELP shop_requests_total Requests answered.
# TYPE shop_requests_total counter
shop_requests_total{code="200",path="/a"} 12
shop_requests_total{code="503",path="/b"} 1
# HELP shop_sent_bytes_total Bytes sent
# TYPE shop_sent_bytes_total counter
shop_sent_bytes_total 5
# TYPE shop_carts gauge
shop_carts 3
# HELP shop_request_duration_seconds How long requests took.
# TYPE shop_request_duration_seconds histogram
shop_request_duration_seconds_bucket{le="0.1"} 4
shop_request_duration_seconds_bucket{le="+Inf"} 5
shop_request_duration_seconds_sum 1
shop_request_duration_seconds_count 5
# TYPE shop_batch summary
shop_batch{quantile="0.5"} 2
shop_batch_sum 10
shop_batch_count 5
shop_untyped_total 4
# TYPE go_goroutines gauge
go_goroutines 7
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total 1.5
`

func shopShown(t testing.TB) []Family {
	t.Helper()
	all, err := readFamilies([]byte(shopPage), metricname.TypeText)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The dashboard and the rules of a service are about its own metrics, and the framed server's
// are nowhere.
func TestTheDashboardIsMadeOfWhatTheServiceShows(t *testing.T) {
	all, names := shopShown(t), map[string]bool{}
	for _, e := range Expressions(t, all) {
		if e.Dashboard != "hone-service" && e.Dashboard != "rules" {
			continue
		}
		metricNames(t, e.Resolved("r", "subject", "i", time.Minute), names)
	}
	for _, want := range []string{"shop_requests_total", "shop_sent_bytes_total", "shop_carts",
		"shop_request_duration_seconds_bucket", "shop_batch", "shop_untyped_total"} {
		if !names[want] {
			t.Errorf("%s is nowhere", want)
		}
	}
	known := regexp.MustCompile(`^(shop_|process_|go_|hone_load_|node_cpu_|instance:go_|up$)`)
	for name := range names {
		if !known.MatchString(name) {
			t.Errorf("%s is not the service's", name)
		}
	}
	files := mustFiles(t, Stack{Families: all})
	for _, f := range files {
		if strings.Contains(string(f.Text), "framed") {
			t.Errorf("%s is about the framed server", f.Name)
		}
		if strings.HasPrefix(f.Name, "grafana/dashboards/hone-service") || strings.HasSuffix(f.Name, "rules.yaml") {
			goldenFile(t, filepath.Join("testdata/service", filepath.Base(f.Name)), f.Text)
		}
	}
	rulesText := string(textOf(t, files, "prometheus/rules.yaml"))
	for _, want := range []string{
		"instance:shop_requests:rate", "instance:shop_requests:cpu_seconds",
		"instance:shop_request_duration_seconds:p99",
		`ServiceFailures`, `shop_requests_total{job="subject",code=~"5.."}`,
	} {
		if !strings.Contains(rulesText, want) {
			t.Errorf("the rules lack %s", want)
		}
	}
}

// goldenFile holds text against a file, or writes it with -update.
func goldenFile(t *testing.T, file string, text []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || string(want) != string(text) {
		t.Errorf("%s differs from its golden (%v); go test -update, then read the diff", file, err)
	}
}

// The framed server, as it shows itself, has the dashboard that was made for it.
func TestTheFramedServerHasItsOwnDashboard(t *testing.T) {
	server := startFramed(t)
	all, err := Scrape(t.Context(), server.page.Host)
	if err != nil {
		t.Fatal(err)
	}
	files := mustFiles(t, Stack{Families: all, Interval: 15 * time.Second})
	board := string(textOf(t, files, "grafana/dashboards/hone-framed.json"))
	if !strings.Contains(board, "[45s]") || !strings.Contains(string(textOf(t, files, "prometheus/rules.yaml")),
		"FramedAnswersWithheld") {
		t.Error("the published panels over three scrapes, or the rules of the framed server, are not there")
	}
}

// Without metrics of its own a service has those of every Go program, and the text says so.
func TestAServiceWithoutMetricsHasTheRuntimes(t *testing.T) {
	for name, all := range map[string][]Family{"nothing": nil,
		"the runtime's": {{Name: "go_goroutines", Kind: KindGauge}}} {
		b := serviceBoard(all)
		rows := slices.DeleteFunc(slices.Clone(b.Panels), func(p panel) bool { return !p.IsRow })
		if len(rows) != 1 || b.Anchor != "go_goroutines" || !strings.Contains(b.About, "no metrics of its own") {
			t.Errorf("%s: %+v", name, b)
		}
		if said := (Stack{Families: all}).madeOf(nil); !strings.Contains(said,
			"127.0.0.1:8889/metrics has no metrics of the service's own") {
			t.Errorf("%s: %s", name, said)
		}
	}
	if said := (Stack{Families: shopShown(t)}).madeOf(nil); !strings.Contains(said,
		"has 3 counters, 1 histogram, 1 summary, 1 gauge of its own") {
		t.Error(said)
	}
}

// Counters of errors are held against the work where no label says what failed.
func TestCountersOfErrorsAreWarnedOf(t *testing.T) {
	all := []Family{{Name: "job_errors_total", Kind: KindCounter}, {Name: "jobs_processed_total", Kind: KindCounter}}
	i := slices.IndexFunc(rules("[1m]", all), func(r rule) bool { return r.alert == "ServiceFailures" })
	if i < 0 || !strings.Contains(rules("[1m]", all)[i].expr,
		`(rate(job_errors_total{job="subject"}[1m])) / sum by (job, instance) (rate(jobs_processed_total`) {
		t.Errorf("rules %+v", rules("[1m]", all))
	}
}

func TestScrape(t *testing.T) {
	page := http.NotFound
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { page(w, r) }))
	defer service.Close()
	at := service.Listener.Addr().String()
	for want, answer := range map[string]http.HandlerFunc{
		"answers 404 Not Found": http.NotFound,
		"not metrics": func(w http.ResponseWriter,
			_ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
		},
		"read metrics": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "what is {this") },
	} {
		page = answer
		if _, err := Scrape(t.Context(), at); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	counter := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "calls_total", Help: "Calls."},
		[]string{"method", "code"})
	counter.WithLabelValues("GET", "200").Inc()
	page = pageOf(counter, collectors.NewGoCollector()).ServeHTTP
	all, err := Scrape(t.Context(), at)
	if err != nil || !has(all, "go_goroutines") {
		t.Fatalf("%v, %v", all, err)
	}
	if got, want := fmt.Sprint(own(all, KindCounter)),
		fmt.Sprint([]Family{{"calls_total", "Calls.", KindCounter, []string{"code", "method"}, ""}}); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	service.Close()
	if _, err := Scrape(t.Context(), at); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("where no program listens: %v", err)
	}
}

// OpenMetrics names families without what stands after the names of their series, and Prometheus stores the series.
func TestScrapeOpenMetrics(t *testing.T) {
	page := `# TYPE jobs counter
# HELP jobs Jobs done.
jobs_total{queue="a"} 10 1395066363.500 # {trace_id="t1"} 0.67
jobs_created{queue="a"} 1.6e9
# TYPE build info
build_info{version="1"} 1
# TYPE mode stateset
mode{mode="on"} 1
# TYPE wait_seconds histogram
# UNIT wait_seconds seconds
wait_seconds_bucket{le="+Inf",queue="a"} 11 # {} 0.05
wait_seconds_count{queue="a"} 11
wait_seconds_sum{queue="a"} 3.5
# TYPE size summary
size{quantile="0.5"} 1
size_count 1
# TYPE depth gaugehistogram
depth_bucket{le="+Inf"} 3
depth_gcount 3
# TYPE plain unknown
plain_total 1
BROKEN# EOF
`
	want := fmt.Sprint([]Family{
		{"build_info", "", KindGauge, []string{"version"}, ""}, {"depth_gcount", "", KindGauge, nil, ""},
		{"jobs_total", "Jobs done.", KindCounter, []string{"queue"}, ""}, {"mode", "", KindGauge, []string{"mode"}, ""},
		{"plain_total", "", KindCounter, nil, ""}, {"size", "", KindSummary, nil, ""},
		{"wait_seconds", "", KindHistogram, []string{"queue"}, "seconds"},
	})
	for broken, says := range map[string]string{"": "",
		"jobs_total{queue=\"b\\\\\"c\"} 1\n": "1 line of the page left out, for which Prometheus refuses"} {
		service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if accept := r.Header.Get("Accept"); !strings.Contains(accept, "openmetrics") {
				t.Errorf("asks for %s", accept)
			}
			w.Header().Set("Content-Type", "application/openmetrics-text; version=1.0.0; charset=utf-8")
			fmt.Fprint(w, strings.Replace(page, "BROKEN", broken, 1))
		}))
		all, err := Scrape(t.Context(), service.Listener.Addr().String())
		service.Close()
		if fmt.Sprint(all) != want {
			t.Errorf("with %q: got %v\nwant %s", broken, all, want)
		}
		told := Stack{Families: all}.madeOf(err)
		if (err != nil) != (says != "") || !strings.Contains(told, says) ||
			!strings.Contains(told, "has 2 counters, 1 histogram, 1 summary") {
			t.Errorf("with %q: %v; told %s", broken, err, told)
		}
	}
}

// shop is a service with every kind of metric, which works until its test ends.
func shop(t *testing.T) *httptest.Server {
	t.Helper()
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "shop_requests_total", Help: "Requests."},
		[]string{"code"})
	took := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "shop_took_seconds", Help: "Time."})
	native := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "shop_lookup_seconds", Help: "Time.",
		NativeHistogramBucketFactor: 1.1})
	batch := prometheus.NewSummary(prometheus.SummaryOpts{Name: "shop_batch", Help: "Size.",
		Objectives: map[float64]float64{0.5: 0.1}})
	carts := prometheus.NewGauge(prometheus.GaugeOpts{Name: "shop_carts", Help: "Carts."})
	page := pageOf(requests, took, native, batch, carts, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.WithLabelValues("200").Add(100)
		requests.WithLabelValues("500").Inc()
		took.Observe(0.1)
		native.Observe(0.1)
		batch.Observe(2)
		carts.Inc()
		page.ServeHTTP(w, r)
	}))
	t.Cleanup(service.Close)
	return service
}

func pageURL(t *testing.T, text string) *url.URL {
	t.Helper()
	page, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// recordedAPI records until the end of the test, and serves hone's API over the record.
func recordedAPI(t *testing.T, options metrics.RunOptions, page *url.URL) (recorder *metrics.Recorder,
	all *library.Library, api string) {
	t.Helper()
	store := metrics.In(t.TempDir())
	recorder, err := store.Record(options)
	if err != nil {
		t.Fatal(err)
	}
	recorder.Visit(*page, false)
	t.Cleanup(func() {
		if err := recorder.Stop(); err != nil {
			t.Error(err)
		}
	})
	all = library.New(store)
	t.Cleanup(func() { _ = all.Close() })
	server := httptest.NewServer(promapi.New(promapi.Config{Open: all.Open, Engine: library.NewEngine(library.Usual),
		Parser: library.Parser()}))
	t.Cleanup(server.Close)
	return recorder, all, server.URL
}

// Every expression about a service has an answer from what is recorded of it.
func TestEveryPanelOfAServiceIsAnswered(t *testing.T) {
	t.Parallel() // it mostly waits for scrapes
	service := shop(t)
	at := service.Listener.Addr().String()
	all, err := Scrape(t.Context(), at)
	if err == nil {
		all, err = Scrape(t.Context(), at) // the labels are there once it has worked
	}
	if err != nil {
		t.Fatal(err)
	}
	const run, interval = "r1", 200 * time.Millisecond
	_, _, api := recordedAPI(t, metrics.RunOptions{Run: run, Interval: interval}, pageURL(t, service.URL+"/metrics"))
	questions, n := asked{api: api, window: 10 * interval}, 0
	for _, e := range Expressions(t, all) {
		about := strings.Contains(e.Expr, "shop_")
		if e.Dashboard != "hone-service" && !about {
			continue
		}
		e.Expr = withoutLimit(e.Expr)
		n++
		questions.awaitAnswer(t, e, run, metrics.JobSubject, at)
	}
	if n < 15 {
		t.Errorf("only %d expressions", n)
	}
}

// Whatever a page shows, the dashboards and rules made of it are whole and their expressions
// are PromQL. It is not a fuzz target: the hundreds of packages below the test would be built once
// more for it. The changes are drawn from a fixed seed.
func TestWhateverAPageShows(t *testing.T) {
	pages := []string{
		shopPage,
		"# TYPE a histogram\na{le=\"1\"} 2\na_bucket{le=\"x\"} 1\n# HELP a 'quoted' {{ $x }}\n",
		"# TYPE requests_total counter\nrequests_total{code=\"5\",__x=\"1\"} 2\n{\"a name\"} 4\n# TYPE request_errors counter\nrequest_errors 1\n",
	}
	rng := rand.New(rand.NewPCG(1, 2))
	read := 0
	for range 300 {
		page := changed(rng, pages[rng.IntN(len(pages))])
		all, _ := readFamilies([]byte(page), metricname.TypeText)
		if len(all) == 0 {
			continue
		}
		read++
		if _, err := Files(Stack{Families: all}); err != nil {
			t.Fatalf("%v of\n%s", err, page)
		}
		names := map[string]bool{}
		for _, e := range Expressions(t, all) {
			metricNames(t, e.Resolved("r", "subject", "i", time.Minute), names)
		}
	}
	if read < 30 {
		t.Errorf("only %d of 300 changed pages could be read", read)
	}
}

// changed is a text with up to three small changes: characters of metrics' pages put in or
// instead of others, lines left out or written twice.
func changed(rng *rand.Rand, text string) string {
	const characters = "{}\"'\\=,#_:.+-eE019 aleN\t"
	for range rng.IntN(4) {
		at := rng.IntN(len(text))
		one := string(characters[rng.IntN(len(characters))])
		switch rng.IntN(4) {
		case 0:
			text = text[:at] + one + text[at:]
		case 1:
			text = text[:at] + one + text[at+1:]
		default:
			lines := strings.SplitAfter(text, "\n")
			line := rng.IntN(len(lines))
			again := lines[line]
			if rng.IntN(2) == 0 {
				again = ""
			}
			lines[line] = again + again
			text = strings.Join(lines, "") + "\n"
		}
	}
	return text
}
