package watch

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gohone/hone/internal/program/metricname"
	"github.com/gohone/hone/internal/text/vitals"
)

// exposed is a service with the metrics of a real one.
type exposed struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	hits     prometheus.Counter
}

func newExposed(native bool) *exposed {
	e := &exposed{registry: prometheus.NewRegistry()}
	e.registry.MustRegister(
		collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(collectors.MetricsAll)),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	e.requests = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "app_requests_total"}, []string{"code"})
	o := prometheus.HistogramOpts{Name: "app_request_duration_seconds", Buckets: []float64{0.001, 0.01, 0.1, 1}}
	if native {
		o.Buckets, o.NativeHistogramBucketFactor = nil, 1.1
	}
	e.took = prometheus.NewHistogramVec(o, []string{"path"})
	e.hits = prometheus.NewCounter(prometheus.CounterOpts{Name: "app_cache_hits_total"})
	e.registry.MustRegister(e.requests, e.took, e.hits)
	e.requests.WithLabelValues("200").Add(10)
	e.requests.WithLabelValues("500").Add(1)
	e.took.WithLabelValues("/a").Observe(5) // long before the watch
	return e
}

// serve does n requests: one in ten fails; half of them take 2 ms, the rest 50 ms.
func (e *exposed) serve(n int) {
	for i := range n {
		code, took := "200", 0.002
		if i%10 == 0 {
			code = "500"
		}
		if i%2 == 1 {
			took = 0.05
		}
		e.requests.WithLabelValues(code).Inc()
		e.took.WithLabelValues("/a").Observe(took)
		e.hits.Add(3)
	}
}

// formats are what a service may answer; accept is what the handler is made to see.
var formats = []struct{ name, accept string }{
	{"protobuf", acceptMetrics},
	{"openmetrics", typeOpenMetrics + ";version=1.0.0"},
	{"text", typeText + ";version=0.0.4"},
}

// The real pages of client_golang, in each format, classic and native.
func TestMetricsOfARealService(t *testing.T) {
	for _, format := range formats {
		for _, native := range []bool{false, true} {
			if native && format.name != "protobuf" {
				continue // the others have no place for it
			}
			t.Run(fmt.Sprintf("%s, native %v", format.name, native), func(t *testing.T) {
				e := newExposed(native)
				h := promhttp.HandlerFor(e.registry, promhttp.HandlerOpts{EnableOpenMetrics: true})
				s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					r.Header.Set("Accept", format.accept)
					h.ServeHTTP(w, r)
				}))
				defer s.Close()
				m := newMetrics(s.URL + "/metrics")
				defer m.close()
				if r, err := m.read(t.Context()); err != nil || r.RatePerSec.Known() || !r.Goroutines.Known() {
					t.Fatalf("first reading %+v, %v", r, err)
				}
				e.serve(1000)
				runtime.GC()
				r, err := m.read(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				checkService(t, r, native)
				checkRuntime(t, r)
			})
		}
	}
}

func checkService(t *testing.T, r vitals.Reading, native bool) {
	t.Helper()
	rate, bad := must(t, "rate", r.RatePerSec), must(t, "errors", r.ErrorsPerSec)
	if r.RateName != "app_requests_total" || math.Abs(bad/rate-0.1) > 1e-9 {
		t.Errorf("rate %v of %s, %v of them failed; want a tenth", rate, r.RateName, bad)
	}
	if len(r.Rates) != 2 || r.Rates[0].Name != "app_cache_hits_total" || math.Abs(r.Rates[0].PerSec/rate-3) > 1e-9 {
		t.Errorf("busiest: %+v, rate %v", r.Rates, rate)
	}
	// Classic buckets end at 1, 10 and 100 ms; native ones are 10 % wide.
	low50, high50, low99, high99 := 0.001, 0.0101, 0.09, 0.1
	if native {
		low50, high50, low99, high99 = 0.0018, 0.0022, 0.045, 0.055
	}
	p50, p99 := must(t, "p50", r.LatencyP50Seconds), must(t, "p99", r.LatencyP99Seconds)
	if p50 < low50 || p50 > high50 || p99 < low99 || p99 > high99 || r.LatencyName != "app_request_duration_seconds" {
		t.Errorf("p50 %v, p99 %v of %s", p50, p99, r.LatencyName)
	}
	if len(r.Latencies) != 1 || math.Abs(r.Latencies[0].PerSec/rate-1) > 1e-9 || !r.Latencies[0].P99Seconds.Known() {
		t.Errorf("durations: %+v", r.Latencies)
	}
}

func checkRuntime(t *testing.T, r vitals.Reading) {
	t.Helper()
	for what, v := range map[string]vitals.Value{
		"heap": r.HeapBytes, "live": r.HeapLiveBytes, "goal": r.HeapGoalBytes, "goroutines": r.Goroutines,
		"threads": r.Threads,
		"cycles":  r.GCCyclesPerSec, "pause": r.GCPauseP99Seconds, "share": r.GCShare,
		"allocations": r.AllocBytesPerSec,
	} {
		if x := must(t, what, v); x <= 0 || what == "share" && x > 1 || what == "pause" && x > 1 {
			t.Errorf("%s is %v", what, x)
		}
	}
	if runtime.GOOS == "linux" {
		if x := must(t, "resident", r.ResidentBytes); x < 1e6 {
			t.Errorf("resident %v", x)
		}
		must(t, "cpu", r.CPUCores)
	}
}

// Fault 21, and other answers that are not metrics.
func TestMetricsThatAreNone(t *testing.T) {
	text := func(kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, body)
		}
	}
	gigabyte := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", typeText)
		line := strings.Repeat("# nothing but comments\n", 1000)
		for range 1 << 30 / len(line) {
			if _, err := io.WriteString(w, line); err != nil {
				return
			}
		}
	}
	million := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", typeText)
		for i := range 1_000_000 {
			if _, err := fmt.Fprintf(w, "a{i=\"%d\"} 1\n", i); err != nil {
				return
			}
		}
	}
	many := func(w http.ResponseWriter, r *http.Request) {
		for i := range maxSeries + 1 {
			fmt.Fprintf(w, "a{i=\"%d\"} 1\n", i)
		}
	}
	for _, c := range []struct {
		name    string
		h       http.HandlerFunc
		refused bool
		says    string
	}{
		{"HTML", text("text/html; charset=utf-8", "<html>hello"), true, "answers text/html, not metrics"},
		{"HTML that calls itself text", text("text/plain", "\n <!doctype html><p>"), true, "answers HTML, not metrics"},
		{"JSON", text("application/json", "{}"), true, "answers application/json"},
		{"a broken type", text("a b c", ""), true, "content type"},
		{"a gigabyte", gigabyte, true, "over 10 MB of metrics: left alone"},
		{"a million series", million, true, "left alone"},
		{"too many series", many, true, "over 50000 series: left alone"},
		{"prose", text("text/plain", "hello there\n"), false, "read metrics"},
		{"broken protobuf", text(typeProtobuf+";proto=io.prometheus.client.MetricFamily;encoding=delimited",
			"\xff\xff\xff\xff\xff\xff\xff\xff\x7fx"), false, "read metrics"},
		{"none", http.NotFound, true, "404"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := httptest.NewServer(c.h)
			defer s.Close()
			m := newMetrics(s.URL + "/metrics")
			defer m.close()
			_, err := m.read(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.says) || errors.As(err, new(refusal)) != c.refused {
				t.Errorf("error %v, want one with %q, refused %v", err, c.says, c.refused)
			}
		})
	}
}

// takes feeds expositions to a scrape, a second apart.
type takes struct {
	*testing.T
	*scrape
	now time.Time
}

func newTakes(t *testing.T) *takes { return &takes{t, newScrape(), time.Unix(1e9, 0)} }

func (k *takes) next(text string) vitals.Reading {
	k.Helper()
	k.now = k.now.Add(time.Second)
	r, err := k.take([]byte(text), "text/plain; version=0.0.4", k.now)
	if err != nil {
		k.Fatal(err)
	}
	return r
}

// The sum of a family goes down when one of its series goes, and up when one comes: neither
// is work that was done. A counter that begins again is.
func TestSeriesComeAndGo(t *testing.T) {
	k := newTakes(t)
	type step struct {
		text string
		want float64
	}
	k.next("# TYPE x_requests_total counter\nx_requests_total{a=\"1\"} 100\nx_requests_total{a=\"2\"} 50\n")
	for _, s := range []step{
		{"# TYPE x_requests_total counter\nx_requests_total{a=\"1\"} 110\nx_requests_total{a=\"2\"} 55\n", 15},
		{"# TYPE x_requests_total counter\nx_requests_total{a=\"1\"} 111\n", 1},
		{"# TYPE x_requests_total counter\nx_requests_total{a=\"1\"} 112\nx_requests_total{a=\"2\"} 900\n", 1},
		{"# TYPE x_requests_total counter\nx_requests_total{a=\"1\"} 4\nx_requests_total{a=\"2\"} 903\n", 7},
		{"x_requests_total{a=\"1\"} 5\nx_requests_total{a=\"2\"} 903\n", 1}, // without a type
	} {
		r := k.next(s.text)
		if x := must(t, "rate", r.RatePerSec); x != s.want {
			t.Errorf("%q: %v/s, want %v", s.text, x, s.want)
		}
	}
	if n := len(k.series); n != 2 {
		t.Errorf("%d series are remembered, want 2", n)
	}
	if n := len(k.families); n != 1 {
		t.Errorf("%d families are remembered, want 1", n)
	}
}

// The unit that a page declares counts: a latency in minutes is shown as such, and a ratio of latencies is not a
// latency.
func TestDeclaredUnits(t *testing.T) {
	page := func(n int) []byte {
		text := "# TYPE wait_minutes histogram\n# UNIT wait_minutes minutes\n" +
			"wait_minutes_bucket{le=\"1.0\"} 0\nwait_minutes_bucket{le=\"2.0\"} %[1]d\nwait_minutes_bucket{le=\"+Inf\"} %[1]d\n" +
			"wait_minutes_count %[1]d\n# TYPE latency_ratio histogram\n# UNIT latency_ratio ratio\n" +
			"latency_ratio_bucket{le=\"1.0\"} %[1]d\nlatency_ratio_bucket{le=\"+Inf\"} %[1]d\nlatency_ratio_count %[1]d\n# EOF\n"
		return fmt.Appendf(nil, text, n)
	}
	s, now := newScrape(), time.Unix(1e9, 0)
	for _, n := range []int{0, 100} {
		r, err := s.take(page(n), typeOpenMetrics+"; version=1.0.0; charset=utf-8", now)
		if err != nil {
			t.Fatal(err)
		}
		if now = now.Add(time.Second); n == 0 {
			continue
		}
		p50, _ := r.LatencyP50Seconds.Get()
		if r.LatencyName != "wait_minutes" || len(r.Latencies) != 1 || p50 != 90 {
			t.Errorf("latency %s of %v s, and %+v", r.LatencyName, p50, r.Latencies)
		}
	}
}

// OpenMetrics is read with its exemplars and moments of creation. A line that is not of it is left out and told, and
// the next exposition still has a base.
func TestOpenMetrics(t *testing.T) {
	for broken, lines := range map[string]int{"": 0, "x_requests_total{a=\"1\\\\\"2\"} 1\n": 1} {
		s, now := newScrape(), time.Unix(1e9, 0)
		for i, want := range []float64{0, 7, 7} {
			page := fmt.Sprintf("# TYPE x_requests counter\nx_requests_total{a=\"1\"} %d 1395066363.5 # {trace_id=\"t\"} 0.67 1520879607.789\n"+
				"x_requests_created{a=\"1\"} %d\n# TYPE build info\nbuild_info{v=\"1\"} 1\n%s# EOF\n", 100+7*i,
				1520430000+900*i, broken)
			now = now.Add(time.Second)
			r, err := s.take([]byte(page), typeOpenMetrics+"; version=1.0.0; charset=utf-8", now)
			var left *metricname.Left
			if errors.As(err, &left) != (lines > 0) || left != nil && left.Lines != lines || left == nil && err != nil {
				t.Fatalf("with %q: %v", broken, err)
			}
			if i == 0 {
				continue
			}
			if x := must(t, "rate", r.RatePerSec); x != want {
				t.Errorf("with %q: %v/s, want %v", broken, x, want)
			}
		}
	}
}

// The main rate is chosen by its name, then by what it counts, and stays.
func TestTheMainRateStays(t *testing.T) {
	k := newTakes(t)
	page := func(a, b, bytes, errs int) string {
		return fmt.Sprintf("a_requests_total %d\nb_requests_total %d\nc_bytes_total %d\nd_errors_total %d\n", a, b,
			bytes, errs)
	}
	k.next(page(0, 0, 0, 0))
	if r := k.next(page(0, 0, 0, 0)); r.RateName != "a_requests_total" || len(r.Rates) != 0 {
		t.Errorf("idle: %s, %v", r.RateName, r.Rates)
	}
	if r := k.next(page(1, 50, 1000, 200)); r.RateName != "b_requests_total" {
		t.Errorf("the busier one is %s", r.RateName)
	}
	r := k.next(page(1000, 51, 9000, 210))
	if r.RateName != "b_requests_total" {
		t.Errorf("jumped to %s", r.RateName)
	}
	if len(r.Rates) != 3 || r.Rates[0].Name != "a_requests_total" {
		t.Errorf("busiest %v: the largest first, without amounts", r.Rates)
	}
	if r := k.next("a_requests_total 1001\n"); r.RateName != "a_requests_total" {
		t.Errorf("after it has gone: %s", r.RateName)
	}
}

func TestFailureLabels(t *testing.T) {
	for text, want := range map[string]bool{
		`x_requests_total{code="500"} `: true, `x_requests_total{status="503"} `: true,
		`x_requests_total{status="5xx"} `: true,
		`x_requests_total{code="200"} `:   false, `x_requests_total{code="5"} `: false, `x_requests_total `: false,
		`x_requests_total{grpc_code="OK"} `: false, `x_requests_total{grpc_code="Internal"} `: true,
	} {
		k := newTakes(t)
		k.next(text + "1\n")
		r := k.next(text + "3\n")
		if x := must(t, "errors", r.ErrorsPerSec); (x == 2) != want {
			t.Errorf("%s: %v errors/s", text, x)
		}
	}
}

// What an exposition broke off in is no base for the next one.
func TestBrokenExpositionForgets(t *testing.T) {
	k := newTakes(t)
	k.next("a_requests_total 5\n")
	if _, err := k.take([]byte("a_requests_total 7\nnonsense here and there {\n"), "text/plain",
		k.now.Add(time.Second)); err == nil {
		t.Fatal("no error")
	}
	if r := k.next("a_requests_total 9\n"); r.RatePerSec.Known() {
		t.Errorf("a rate over the fault: %v", r.RatePerSec)
	}
	if r := k.next("a_requests_total 10\n"); r.RatePerSec != vitals.Of(1) {
		t.Errorf("rate %v, want 1", r.RatePerSec)
	}
}

func FuzzScrape(f *testing.F) {
	registry := prometheus.NewRegistry() // small: a page of the runtime's has 100 kB
	calls := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "a_requests_total"}, []string{"code"})
	took := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "a_seconds", Buckets: []float64{1}})
	native := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "b_seconds", NativeHistogramBucketFactor: 2})
	registry.MustRegister(calls, took, native)
	calls.WithLabelValues("500").Inc()
	took.Observe(0.5)
	native.Observe(3)
	for _, format := range formats {
		rec := httptest.NewRecorder()
		request := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		request.Header.Set("Accept", format.accept)
		promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: true}).ServeHTTP(rec, request)
		f.Add(rec.Body.Bytes(), rec.Body.Bytes(), rec.Header().Get("Content-Type"))
	}
	f.Add([]byte("a_bucket{le=\"1\"} 1\n"), []byte("# TYPE a histogram\na_bucket{le=\"NaN\"} -1\n"), "text/plain")
	f.Fuzz(func(t *testing.T, one, two []byte, kind string) {
		s, now := newScrape(), time.Unix(1, 0)
		for i, body := range [][]byte{one, two, one} {
			r, err := s.take(body, kind, now.Add(time.Duration(i)*time.Second))
			if err != nil {
				continue
			}
			for _, v := range r.Values() {
				if x, known := v.Get(); known && (math.IsNaN(x) || math.IsInf(x, 0)) {
					t.Fatalf("a value is %v", x)
				}
			}
		}
	})
}
