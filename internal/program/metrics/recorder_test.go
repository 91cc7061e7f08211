package metrics_test

import (
	"bytes"
	"cmp"
	"fmt"
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
	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/program/metrics/metricstest"
	"github.com/gohone/hone/internal/text/fail"
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

// interval is the time that a scrape may take as well, also on a busy machine.
const interval = 200 * time.Millisecond

func record(t *testing.T, s metrics.Store, r metrics.RunOptions) *metrics.Recorder {
	t.Helper()
	r.Interval = cmp.Or(r.Interval, interval)
	recorder, err := s.Record(r)
	if err != nil {
		t.Fatal(err)
	}
	return recorder
}

// The record reaches to the moment of Stop, whatever came between two scrapes.
func TestRecordAgreesWithTheServiceToTheEnd(t *testing.T) {
	svc, store := startService(t), metrics.In(t.TempDir())
	own := prometheus.NewRegistry()
	own.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "answer", Help: "Known by hone."},
		func() float64 { return 42 }))
	r := record(t, store, metrics.RunOptions{Run: "r1", Sources: map[string]prometheus.Gatherer{metrics.JobLoad: own}})
	r.Visit(*svc.page, false)
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
	got := metricstest.Last(t, store, "")
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is %v in the store, want %v; there are %v", name, got[name], value, got)
		}
	}
	for name, up := range metricstest.Last(t, store, "up{") {
		if up != 1 {
			t.Errorf("%s is %v", name, up)
		}
	}
	if n := len(metricstest.Last(t, store, "up{")); n != 2 {
		t.Errorf("%d targets", n)
	}
	if runs, err := store.Runs(); err != nil || len(runs) != 1 || runs[0].Part {
		t.Errorf("runs %v, %v", runs, err)
	}
	if n := r.Series(); n != 2 {
		t.Errorf("%d series", n)
	}
}

// What a page may do wrong (fault 21): the record has a gap, Faults says why once, and the
// other targets are recorded.
func TestBadPagesLeaveAGap(t *testing.T) {
	const kind = "text/plain; version=0.0.4"
	var many []byte
	for i := range 50_001 {
		many = fmt.Appendf(many, "many{i=\"%d\"} 1\n", i)
	}
	for name, c := range map[string]struct {
		page     func(w http.ResponseWriter)
		want     string
		interval time.Duration // of scrapes, and the limit of each; 0 is the usual one
	}{
		"html": {func(w http.ResponseWriter) { w.Write([]byte("<html><body>hello")) },
			"the page is not metrics but .text/html", 0},
		"errors": {func(w http.ResponseWriter) { w.WriteHeader(503) }, "503", 0},
		"a gigabyte": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", kind)
			for line := bytes.Repeat([]byte("# filler\n"), 100_000); ; {
				if _, err := w.Write(line); err != nil {
					return
				}
			}
		}, "more than 10 MB", 500 * time.Millisecond},
		"one series too many": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", kind)
			w.Write(many)
		}, "more than 50000 series", 500 * time.Millisecond},
		"nonsense": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", kind)
			w.Write([]byte("a 1\nb is not a number\n"))
		}, "the page is not metrics: text format parsing error in line 2", 0},
	} {
		t.Run(name, func(t *testing.T) {
			svc, store := startService(t), metrics.In(t.TempDir())
			svc.requests.Add(7)
			own := prometheus.NewRegistry()
			own.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "answer", Help: "Known by hone."},
				func() float64 { return 42 }))
			r := record(t, store, metrics.RunOptions{Run: "r1", Interval: c.interval,
				Sources: map[string]prometheus.Gatherer{metrics.JobLoad: own}})
			r.Visit(*svc.page, false)
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
			for name, up := range metricstest.Last(t, store, "up{") {
				if of := strings.Contains(name, `job="subject"`); of == (up == 1) {
					t.Errorf("%s is %v", name, up)
				}
			}
			if n := len(metricstest.Last(t, store, "up{")); n != 2 {
				t.Errorf("%d targets", n)
			}
			if before := metricstest.Last(t, store, "requests_total{"); len(before) != 1 {
				t.Errorf("what was recorded before is gone: %v", before)
			}
			for _, name := range []string{"many{", "a{"} {
				if bad := metricstest.Last(t, store, name); len(bad) != 0 {
					t.Errorf("of a bad page %v is stored", bad)
				}
			}
		})
	}
}

// A hone that is killed leaves a file, from which all but the last moments can be read.
func TestRunThatDiedCanBeRead(t *testing.T) {
	home := t.TempDir()
	svc, store := startService(t), metrics.In(home)
	svc.requests.Add(5)
	r := record(t, store, metrics.RunOptions{Run: "r1"})
	r.Visit(*svc.page, false)
	svc.scraped(t, 3)
	left := filepath.Join(t.TempDir(), "metrics")
	if err := os.CopyFS(left, os.DirFS(filepath.Join(home, "metrics"))); err != nil { // as it is on the disk now
		t.Fatal(err)
	}
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	dead := metrics.In(filepath.Dir(left))
	runs, err := dead.Runs()
	if err != nil || len(runs) != 1 || runs[0] != (metrics.Recorded{Run: "r1", Part: true}) {
		t.Fatalf("runs %v, %v", runs, err)
	}
	for range 2 { // reading changes nothing
		if got := metricstest.Last(t, dead, "requests_total{"); len(got) != 1 {
			t.Errorf("stored %v", got)
		}
	}
}

func TestRunsAreKeptAsRuns(t *testing.T) {
	home := t.TempDir()
	store := metrics.In(home)
	for i, run := range []string{"old", "base", "newer", "newest"} {
		own := prometheus.NewRegistry()
		own.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "n", Help: "Number."},
			func() float64 { return float64(i) }))
		r := record(t, store, metrics.RunOptions{Run: run,
			Sources: map[string]prometheus.Gatherer{metrics.JobLoad: own}})
		if err := r.Stop(); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(int64(1000+i), 0)
		if err := os.Chtimes(filepath.Join(home, "metrics", run), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if got := metricstest.Last(t, store, "n{"); len(got) != 4 {
		t.Errorf("all runs have %v", got)
	}
	removed, err := store.Keep(2, "base")
	if err != nil || removed != 1 {
		t.Fatalf("removed %d, %v", removed, err)
	}
	runs, err := store.Runs()
	if err != nil || fmt.Sprint(runs) != "[{newest false} {newer false} {base false}]" {
		t.Errorf("kept %v, %v", runs, err)
	}
	if _, _, err := store.Open("old"); fail.ExitCode(err) != int(fail.BadInput) {
		t.Errorf("open a run that was removed: %v", err)
	}
}

func TestStoreThatIsMissing(t *testing.T) {
	store := metrics.In(filepath.Join(t.TempDir(), "none"))
	if runs, err := store.Runs(); err != nil || len(runs) != 0 {
		t.Errorf("runs %v, %v", runs, err)
	}
	if _, _, err := store.Open("r1"); fail.ExitCode(err) != int(fail.BadInput) {
		t.Errorf("open: %v", err)
	}
}

func TestNamesOutsideTheStoreAreRefused(t *testing.T) {
	store := metrics.In(t.TempDir())
	for _, run := range []string{"", "..", "../x", "a/b", ".part", "r1.part"} {
		if _, err := store.Record(metrics.RunOptions{Run: run}); fail.ExitCode(err) != int(fail.BadInput) {
			t.Errorf("record %q: %v", run, err)
		}
		if err := store.Remove(run); fail.ExitCode(err) != int(fail.BadInput) {
			t.Errorf("remove %q: %v", run, err)
		}
	}
}
