package promapi

import (
	"context"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// base is the time of the first samples, on the boundary of a block.
var base = time.Date(2026, 1, 2, 4, 0, 0, 0, time.UTC)

const (
	every   = 15 * time.Second
	samples = 60
)

// sample is one value of a series: a float, or a histogram of either kind.
type sample struct {
	v  float64
	h  *histogram.Histogram
	fh *histogram.FloatHistogram
}

// written is a series with the rule of its values; i counts from 0.
type written struct {
	labels []string
	at     func(i int) (sample, bool)
}

func float(f func(i float64) float64) func(int) (sample, bool) {
	return func(i int) (sample, bool) { return sample{v: f(float64(i))}, true }
}

var odd = []float64{0, math.Inf(1), math.Inf(-1), math.NaN(), 1e-7, 1e21, 123456789012345680, -0.1, 5e-324, 1e20}

// series are all that the tests ask for.
var series = []written{
	{[]string{"__name__", "hone_load_requests_sent_total", "run", "r1", "job", "hone", "instance", "hone"},
		float(func(i float64) float64 { return 100*i + 3 })},
	{[]string{"__name__", "hone_load_requests_failed_total", "run", "r1", "job", "hone", "instance", "hone", "cause",
		"timeout"}, float(func(i float64) float64 { return math.Floor(i / 7) })},
	{[]string{"__name__", "hone_load_requests_failed_total", "run", "r1", "job", "hone", "instance", "hone", "cause",
		"wrong answer"}, float(func(float64) float64 { return 0 })},
	{[]string{"__name__", "up", "run", "r1", "job", "subject", "instance", "127.0.0.1:80"},
		float(func(float64) float64 { return 1 })},
	{[]string{"__name__", "up", "run", "r1", "job", "node", "instance", "n\"o\\d\né ☃<&>"},
		float(func(float64) float64 { return 1 })},
	{[]string{"__name__", "up", "run", "r2", "job", "subject", "instance", "127.0.0.1:80"}, func(i int) (sample, bool) {
		switch {
		case i < 20:
			return sample{v: 1}, true
		case i == 20:
			return sample{v: math.Float64frombits(value.StaleNaN)}, true
		}
		return sample{}, false
	}},
	{[]string{"__name__", "go_goroutines", "run", "r1", "job", "go", "instance", "127.0.0.1:80"},
		float(func(i float64) float64 { return 10 + 5*math.Sin(i) })},
	{[]string{"__name__", "odd", "run", "r1"}, float(func(i float64) float64 { return odd[int(i)%len(odd)] })},
	{[]string{"__name__", "classic_bucket", "run", "r1", "le", "0.1"}, float(func(i float64) float64 { return i })},
	{[]string{"__name__", "classic_bucket", "run", "r1", "le", "1"}, float(func(i float64) float64 { return 3 * i })},
	{[]string{"__name__", "classic_bucket", "run", "r1", "le", "+Inf"},
		float(func(i float64) float64 { return 4 * i })},
	{[]string{"__name__", "hone_load_latency_seconds", "run", "r1", "job", "hone", "instance", "hone"},
		func(i int) (sample, bool) {
			n := int64(i)
			return sample{h: &histogram.Histogram{
				Schema: 3, ZeroThreshold: 1e-128, ZeroCount: uint64(i), Count: uint64(i + 6*i + 2*i),
				Sum:             0.125 * float64(i),
				PositiveSpans:   []histogram.Span{{Offset: -40, Length: 2}, {Offset: 3, Length: 1}},
				PositiveBuckets: []int64{n, n, n}, // n, 2n, 3n
				NegativeSpans:   []histogram.Span{{Offset: 0, Length: 2}}, NegativeBuckets: []int64{n, 0},
			}}, true
		}},
	{[]string{"__name__", "queue_seconds", "run", "r1"}, func(i int) (sample, bool) {
		return sample{fh: &histogram.FloatHistogram{
			CounterResetHint: histogram.GaugeType, Schema: 0, ZeroThreshold: 0.001, ZeroCount: 0.5, Count: 3.25,
			Sum:           float64(i),
			PositiveSpans: []histogram.Span{{Offset: 0, Length: 2}}, PositiveBuckets: []float64{1.25, 1.5},
		}}, true
	}},
	{[]string{"__name__", "empty_seconds", "run", "r1"}, func(int) (sample, bool) {
		return sample{h: &histogram.Histogram{Schema: 2, ZeroThreshold: 1e-128}}, true
	}},
}

// fill writes the series into a block below dir. A block, and not a log, because every
// Prometheus reads those of every other.
func fill(t testing.TB, dir string) {
	t.Helper()
	w, err := tsdb.NewBlockWriter(slog.New(slog.DiscardHandler), dir, tsdb.DefaultBlockDuration)
	must(t, err)
	appender := w.AppenderV2(t.Context())
	for _, s := range series {
		l := labels.FromStrings(s.labels...)
		for i := range samples {
			if v, ok := s.at(i); ok {
				_, err := appender.Append(0, l, 0, base.Add(time.Duration(i)*every).UnixMilli(), v.v, v.h, v.fh,
					storage.AppendV2Options{})
				must(t, err)
			}
		}
	}
	must(t, appender.Commit())
	_, err = w.Flush(t.Context())
	must(t, err)
	must(t, w.Close())
}

// opened opens the store in dir for as long as the test runs.
func opened(t testing.TB, dir string) storage.Queryable {
	t.Helper()
	db, err := tsdb.Open(dir, nil, nil, tsdb.DefaultOptions(), nil)
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

func engine(t testing.TB) *promql.Engine {
	t.Helper()
	e := promql.NewEngine(promql.EngineOpts{
		MaxSamples: 1e6, Timeout: time.Minute, LookbackDelta: 5 * time.Minute,
		NoStepSubqueryIntervalFn: func(int64) int64 { return time.Minute.Milliseconds() },
		EnableAtModifier:         true, EnableNegativeOffset: true,
		Parser: parser.NewParser(parser.Options{}),
	})
	t.Cleanup(func() { must(t, e.Close()) })
	return e
}

// over is a configuration that serves one store.
func over(t testing.TB, q storage.Queryable) Config {
	t.Helper()
	return Config{
		Open:    func(context.Context) (storage.Queryable, func() error, error) { return q, nil, nil },
		Engine:  engine(t),
		Now:     func() time.Time { return base.Add(10 * time.Minute) },
		Version: "1.2.3",
	}
}

// filled serves the series.
func filled(t testing.TB) http.Handler {
	t.Helper()
	dir := t.TempDir()
	fill(t, dir)
	return New(over(t, opened(t, dir)))
}

// pairs makes a form of names and values in turn.
func pairs(list ...string) url.Values {
	form := url.Values{}
	for i := 0; i < len(list); i += 2 {
		form.Add(list[i], list[i+1])
	}
	return form
}

// ask sends a request without a network. Headers are pairs; Host is the request's.
func ask(h http.Handler, method, path string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	var r *http.Request
	if method == http.MethodPost {
		r = httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	} else {
		if len(form) > 0 {
			path += "?" + form.Encode()
		}
		r = httptest.NewRequest(method, path, nil)
	}
	r.Host = "localhost:9090"
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		} else {
			r.Header.Add(headers[i], headers[i+1])
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
