package metrics

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/prometheus/model/labels"
	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/fail"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// service is a program with metrics of its own.
type service struct {
	page     *url.URL
	requests prometheus.Counter
	scrapes  atomic.Int64
	answer   atomic.Pointer[http.HandlerFunc] // instead of its metrics
}

func startService(t *testing.T) *service {
	s := &service{requests: prometheus.NewCounter(prometheus.CounterOpts{Name: "requests_total", Help: "Requests."})}
	registry := prometheus.NewRegistry()
	registry.MustRegister(s.requests)
	page := promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: true})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer s.scrapes.Add(1)
		if other := s.answer.Load(); other != nil {
			(*other)(w, r)
			return
		}
		page.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	var err error
	if s.page, err = url.Parse(server.URL + "/metrics"); err != nil {
		t.Fatal(err)
	}
	return s
}

// scraped waits for n more scrapes.
func (s *service) scraped(t *testing.T, n int64) {
	t.Helper()
	want := s.scrapes.Load() + n
	waitFor(t, "scrapes", func() bool { return s.scrapes.Load() >= want })
}

// waitFor polls: what it waits for happens in Prometheus' own goroutines.
func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited a minute for %s", what)
		}
	}
}

// has says whether a series of that name was scraped: a scrape that was late leaves only "up".
func has(t *testing.T, r *Recorder, name string) bool {
	t.Helper()
	q, err := r.db.Querier(math.MinInt64, math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	return q.Select(t.Context(), false, nil, labels.MustNewMatcher(labels.MatchEqual, "__name__", name)).Next()
}

// interval is the time that a scrape may take as well, also on a busy machine.
const interval = 200 * time.Millisecond

func record(t *testing.T, s Store, r RunOptions) *Recorder {
	t.Helper()
	r.Interval = cmp.Or(r.Interval, interval)
	recorder, err := s.Record(r)
	if err != nil {
		t.Fatal(err)
	}
	return recorder
}

// last evaluates expr at the end of what is stored and returns name -> value.
func last(t *testing.T, s Store, expr string, runs ...string) map[string]float64 {
	t.Helper()
	v, err := s.Open(runs...)
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

// The record reaches to the moment of Stop, whatever came between two scrapes.
func TestRecordAgreesWithTheServiceToTheEnd(t *testing.T) {
	svc, store := startService(t), In(t.TempDir())
	own := prometheus.NewRegistry()
	own.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "answer", Help: "Known by hone."}, func() float64 { return 42 }))
	r := record(t, store, RunOptions{Run: "r1", Page: svc.page, Sources: map[string]prometheus.Gatherer{JobLoad: own}})
	svc.scraped(t, 2)
	svc.requests.Add(1234)
	if faults := r.Faults(); len(faults) > 0 {
		t.Errorf("faults %v", faults)
	}
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{
		fmt.Sprintf(`requests_total{instance=%q, job="subject", run="r1"}`, svc.page.Host): 1234,
		`answer{instance="hone", job="hone", run="r1"}`:                                    42,
	}
	got := last(t, store, `{__name__=~"requests_total|answer"}`, "r1")
	if len(got) != len(want) {
		t.Errorf("stored %v", got)
	}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is %v in the store, want %v; there are %v", name, got[name], value, got)
		}
	}
	if up := last(t, store, `sum(up)`); up[`{}`] != 2 {
		t.Errorf("up: %v", up)
	}
	v, err := store.Open("r1")
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if m := v.Metadata["requests_total"]; m.Help != "Requests." || m.Type != "counter" {
		t.Errorf("metadata %+v of %v", m, v.Metadata)
	}
	if _, err := os.Stat(store.part("r1")); !os.IsNotExist(err) {
		t.Errorf("the log of a whole run is still there: %v", err)
	}
}

// What a page may do wrong (fault 21): the record has a gap, Faults says why once, and the
// other targets are recorded.
func TestBadPagesLeaveAGap(t *testing.T) {
	const kind = "text/plain; version=0.0.4"
	var many []byte
	for i := range maxSeries + 1 {
		many = fmt.Appendf(many, "many{i=\"%d\"} 1\n", i)
	}
	for name, c := range map[string]struct {
		page     func(w http.ResponseWriter)
		want     string
		interval time.Duration // of scrapes, and the limit of each; 0 is the usual one
	}{
		"html":   {func(w http.ResponseWriter) { w.Write([]byte("<html><body>hello")) }, "text/html", 0},
		"errors": {func(w http.ResponseWriter) { w.WriteHeader(503) }, "503", 0},
		"a gigabyte": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", kind)
			for line := bytes.Repeat([]byte("# filler\n"), 100_000); ; {
				if _, err := w.Write(line); err != nil {
					return
				}
			}
		}, "body size", 500 * time.Millisecond},
		"one series too many": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", kind)
			w.Write(many)
		}, "sample limit", 500 * time.Millisecond},
		"nonsense": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", kind)
			w.Write([]byte("a 1\nb is not a number\n"))
		}, "invalid syntax", 0},
	} {
		t.Run(name, func(t *testing.T) {
			svc, store := startService(t), In(t.TempDir())
			svc.requests.Add(7)
			own := prometheus.NewRegistry()
			own.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "answer", Help: "Known by hone."}, func() float64 { return 42 }))
			r := record(t, store, RunOptions{Run: "r1", Page: svc.page, Interval: c.interval, Sources: map[string]prometheus.Gatherer{JobLoad: own}})
			svc.scraped(t, 2)
			bad := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { c.page(w) })
			svc.answer.Store(&bad)
			var faults []string
			want := regexp.MustCompile(c.want)
			waitFor(t, "fault "+c.want, func() bool { // on a busy machine some scrapes are late before
				faults = r.Faults()
				return len(faults) > 0 && want.MatchString(faults[0])
			})
			if !strings.Contains(faults[0], svc.page.Host) {
				t.Errorf("faults %q do not name %s", faults, svc.page.Host)
			}
			svc.scraped(t, 1)
			if again := r.Faults(); len(again) > 0 && again[0] == faults[0] {
				t.Errorf("told twice: %v", again)
			}
			if err := r.Stop(); err != nil {
				t.Fatal(err)
			}
			if up := last(t, store, `up`); len(up) != 2 || last(t, store, `sum(up)`)[`{}`] != 1 {
				t.Errorf("up: %v", up)
			}
			if before := last(t, store, `last_over_time(requests_total[1m])`); len(before) != 1 {
				t.Errorf("what was recorded before is gone: %v", before)
			}
			if many := last(t, store, `count({__name__=~"many|a"})`); len(many) != 0 {
				t.Errorf("of a bad page %v is stored", many)
			}
		})
	}
}

// A hone that is killed leaves a log, from which all but the last moments can be read.
func TestRunThatDiedCanBeRead(t *testing.T) {
	svc, store := startService(t), In(t.TempDir())
	svc.requests.Add(5)
	r := record(t, store, RunOptions{Run: "r1", Page: svc.page})
	svc.scraped(t, 3)
	waitFor(t, "samples", func() bool { return has(t, r, "requests_total") })
	left := filepath.Join(t.TempDir(), "metrics")
	if err := os.CopyFS(left, os.DirFS(store.dir)); err != nil { // as it is on the disk now
		t.Fatal(err)
	}
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	dead := In(filepath.Dir(left))
	runs, err := dead.Runs()
	if err != nil || len(runs) != 1 || runs[0] != (Recorded{Run: "r1", Part: true}) {
		t.Fatalf("runs %v, %v", runs, err)
	}
	if got := last(t, dead, `requests_total`, "r1"); len(got) != 1 {
		t.Errorf("stored %v", got)
	}
	if got := last(t, dead, `requests_total`); len(got) != 1 { // again: reading changes nothing
		t.Errorf("stored %v", got)
	}
}

func TestRunsAreKeptAsRuns(t *testing.T) {
	store := In(t.TempDir())
	for i, run := range []string{"old", "base", "newer", "newest"} {
		own := prometheus.NewRegistry()
		own.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "n", Help: "Number."}, func() float64 { return float64(i) }))
		r := record(t, store, RunOptions{Run: run, Sources: map[string]prometheus.Gatherer{JobLoad: own}})
		waitFor(t, "samples", func() bool { return has(t, r, "n") })
		if err := r.Stop(); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(int64(1000+i), 0)
		if err := os.Chtimes(store.whole(run), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if got := last(t, store, `count(n)`); got[`{}`] != 4 {
		t.Errorf("a query over all runs sees %v", got)
	}
	removed, err := store.Keep(2, "base")
	if err != nil || removed != 1 {
		t.Fatalf("removed %d, %v", removed, err)
	}
	runs, err := store.Runs()
	if err != nil || fmt.Sprint(runs) != "[{newest false} {newer false} {base false}]" {
		t.Errorf("kept %v, %v", runs, err)
	}
	if _, err := store.Open("old"); fail.ExitCode(err) != int(fail.BadInput) {
		t.Errorf("open a run that was removed: %v", err)
	}
}

func TestStoreThatIsMissing(t *testing.T) {
	store := In(filepath.Join(t.TempDir(), "none"))
	if runs, err := store.Runs(); err != nil || len(runs) != 0 {
		t.Errorf("runs %v, %v", runs, err)
	}
	v, err := store.Open()
	if err != nil {
		t.Fatal(err)
	}
	if from, to := v.Range(); !from.IsZero() || !to.IsZero() {
		t.Errorf("range %v to %v", from, to)
	}
	if a, err := At(context.Background(), NewEngine(Usual), v, "up", time.Now()); err != nil || len(a.Series) != 0 {
		t.Errorf("answer %+v, %v", a, err)
	}
}

func TestNamesOutsideTheStoreAreRefused(t *testing.T) {
	store := In(t.TempDir())
	for _, run := range []string{"", "..", "../x", "a/b", ".part", "r1.part"} {
		if _, err := store.Record(RunOptions{Run: run}); fail.ExitCode(err) != int(fail.BadInput) {
			t.Errorf("record %q: %v", run, err)
		}
		if err := store.Remove(run); fail.ExitCode(err) != int(fail.BadInput) {
			t.Errorf("remove %q: %v", run, err)
		}
	}
}
