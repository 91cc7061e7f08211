package library

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/text/fail"
)

var t0 = time.Unix(1_700_000_000, 0)

// record records a run from its start to its end: two scrapes of each source.
func record(t *testing.T, s metrics.Store, o metrics.RunOptions) {
	t.Helper()
	o.Interval = time.Hour
	r, err := s.Record(o)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * time.Millisecond) // two scrapes of one millisecond are one
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
}

// last evaluates expr at the end of what is stored and returns name -> value.
func last(t *testing.T, s metrics.Store, expr string, runs ...string) map[string]float64 {
	t.Helper()
	v, err := Open(s, runs...)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	_, to := v.Range()
	a, err := At(context.Background(), NewEngine(Usual), v, expr, to)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]float64{}
	for _, one := range a.Series {
		found[one.Name] = float64(one.Points[0].Value)
	}
	return found
}

func gauge(value func() float64) *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "n", Help: "Number."}, value))
	return r
}

// A run is read as Prometheus would have scraped it: labels of the target, those of the page that are called alike, and
// what a scrape says of itself.
func TestScrapesBecomeSeries(t *testing.T) {
	var scrapes atomic.Int64
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		n := scrapes.Add(1)
		fmt.Fprintf(w, "# HELP served Scrapes.\n# TYPE served counter\nserved{job=\"own\"} %d\n", n)
		if n == 1 {
			fmt.Fprint(w, "gone 1\n")
		}
		fmt.Fprint(w,
			"# TYPE size histogram\nsize_bucket{le=\"1\"} 1\nsize_bucket{le=\"+Inf\"} 2\nsize_sum 3\nsize_count 2\n")
	}))
	defer page.Close()
	at, err := url.Parse(page.URL)
	if err != nil {
		t.Fatal(err)
	}
	store := metrics.In(t.TempDir())
	r, err := store.Record(metrics.RunOptions{Run: "r1", Variant: "B", Interval: time.Hour,
		Sources: map[string]prometheus.Gatherer{metrics.JobLoad: gauge(func() float64 { return 42 })}})
	if err != nil {
		t.Fatal(err)
	}
	r.Visit(*at, true)
	time.Sleep(2 * time.Millisecond) // two scrapes of one millisecond are one
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	for expr, want := range map[string]float64{
		`served{exported_job="own", instance="B", job="subject", run="r1", variant="B"}`: 2,
		`n{instance="hone", job="hone"}`:                                                 42,
		`sum(up)`:                                                                        2,
		`scrape_samples_scraped{job="subject"}`:                                          5,
		// it ended, and is not there for five minutes more
		`count(gone) or vector(0)`:            0,
		`count_over_time(gone[1m])`:           1,
		`size_bucket{le="+Inf"}`:              2,
		`size_count`:                          2,
		`count(scrape_duration_seconds >= 0)`: 2,
		`count_over_time(served[1m])`:         2,
	} {
		got := last(t, store, expr, "r1")
		if len(got) != 1 {
			t.Errorf("%s: %v", expr, got)
		}
		for _, value := range got {
			if value != want {
				t.Errorf("%s is %v, want %v", expr, value, want)
			}
		}
	}
	v, err := Open(store, "r1")
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if m := v.Metadata["served"]; m.Help != "Scrapes." || m.Type != "counter" {
		t.Errorf("metadata %+v of %v", m, v.Metadata)
	}
}

func TestRunsTogether(t *testing.T) {
	store := metrics.In(t.TempDir())
	for i, run := range []string{"a", "b", "c"} {
		record(t, store, metrics.RunOptions{Run: run,
			Sources: map[string]prometheus.Gatherer{metrics.JobLoad: gauge(func() float64 { return float64(i) })}})
	}
	if got := last(t, store, `sum(last_over_time(n[1m]))`); got[`{}`] != 3 {
		t.Errorf("a query over all runs sees %v", got)
	}
	if _, err := Open(store, "none"); fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" {
		t.Errorf("open a run that is not there: %v", err)
	}
	l := New(store)
	defer l.Close()
	q, done, err := l.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a, err := At(t.Context(), NewEngine(Usual), q, `count(count by (run) (last_over_time(n[1m])))`, time.Now())
	if err != nil || len(a.Series) != 1 || a.Series[0].Points[0].Value != 3 {
		t.Errorf("a library has %+v, %v", a, err)
	}
	if err := done(); err != nil {
		t.Fatal(err)
	}
}

func TestStoreThatIsMissing(t *testing.T) {
	v, err := Open(metrics.In(filepath.Join(t.TempDir(), "none")))
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if from, to := v.Range(); !from.IsZero() || !to.IsZero() {
		t.Errorf("range %v to %v", from, to)
	}
	if a, err := At(context.Background(), NewEngine(Usual), v, "up", time.Now()); err != nil || len(a.Series) != 0 {
		t.Errorf("answer %+v, %v", a, err)
	}
}

// What hone export --openmetrics writes of a run is read by the parser that promtool has: a time with each sample, the
// samples of a series in the order of their times.
func TestOpenMetricsIsRead(t *testing.T) {
	store := metrics.In(t.TempDir())
	n := 0.0
	record(t, store, metrics.RunOptions{Run: "r1",
		Sources: map[string]prometheus.Gatherer{metrics.JobLoad: gauge(func() float64 { n++; return n })}})
	file, _, err := store.Open("r1")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	scrapes, err := metrics.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := metrics.WriteOpenMetrics(&text, scrapes); err != nil {
		t.Fatal(err)
	}
	last, values := map[string]int64{}, []float64{}
	for p := textparse.NewOpenMetricsParser(text.Bytes(), labels.NewSymbolTable()); ; {
		entry, err := p.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, &text)
		}
		if entry != textparse.EntrySeries {
			continue
		}
		series, at, value := p.Series()
		if at == nil || *at <= last[string(series)] {
			t.Errorf("%s at %v after %d", series, at, last[string(series)])
			continue
		}
		last[string(series)] = *at
		if bytes.HasPrefix(series, []byte("n{")) {
			values = append(values, value)
		}
	}
	if !slices.Equal(values, []float64{1, 2}) {
		t.Errorf("n is %v in\n%s", values, &text)
	}
}
