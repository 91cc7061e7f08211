package recorder

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/program/metrics/metricstest"
	"github.com/gohone/hone/internal/program/metrics/process"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/program/usage"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/load"
)

// role makes the test executable the child, by its first argument.
const role = "test-recorder"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == role {
		os.Exit(Main(parts()))
	}
	os.Exit(m.Run())
}

func parts() Parts {
	return Parts{
		Host: func() (prometheus.Collector, error) {
			return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "host", Help: "Host."},
				func() float64 { return 1 }), nil
		},
		Processes: func(usage func() (usage.Reading, error), main func() int) prometheus.Collector {
			return process.New(usage, main)
		},
		Runtime: func(read func(context.Context) (probeclient.Metrics, error)) prometheus.Collector {
			return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "runtime", Help: "Latest reading."},
				func() float64 {
					m, err := read(context.Background())
					if err != nil {
						return math.NaN()
					}
					return m["/x:y"].Value
				})
		},
	}
}

// interval is long enough for a busy machine: a scrape that takes longer is a gap.
const interval = time.Second

func start(t *testing.T, dir string, change func(*Options)) *Recorder {
	t.Helper()
	o := Options{Argv: []string{os.Args[0], role}, Dir: dir, Interval: interval, Version: "test", Hard: t.Context()}
	if change != nil {
		change(&o)
	}
	r, err := Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Stop)
	return r
}

// page is a program's page that counts how often it is scraped.
type page struct {
	*httptest.Server
	scrapes atomic.Int64
}

func newPage(t *testing.T) *page {
	p := &page{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		fmt.Fprintf(w, "# HELP served Scrapes.\n# TYPE served counter\nserved %d\n", p.scrapes.Add(1))
	}))
	t.Cleanup(p.Close)
	return p
}

// waitFor polls: what it waits for happens in another process.
func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited a minute for %s", what)
		}
	}
}

func self() usage.Tree { return usage.Tree{Guard: os.Getppid(), Main: os.Getpid()} }

func slice(t *testing.T, answered uint64) (load.Slice, []byte) {
	t.Helper()
	h := hdrhistogram.New(1, 60e9, 3)
	if err := h.RecordValues(1e6, int64(answered)); err != nil {
		t.Fatal(err)
	}
	s := load.Slice{Latencies: load.Latencies{Service: h}, Counts: load.Counts{Sent: answered + 1, Answered: answered}}
	encoded, err := s.EncodeLatency()
	if err != nil {
		t.Fatal(err)
	}
	return s, encoded
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// All that hone knows is in the record up to its end, and the process has gone.
func TestTheRecordHasWhatHoneKnows(t *testing.T) {
	t.Parallel()
	dir, p := t.TempDir(), newPage(t)
	r := start(t, dir, nil)
	must(t, r.Begin(RunOptions{ID: "r1", RateHz: 7, Probed: true}))
	must(t, r.Up("r1", Program{Tree: self(), Page: p.URL + "/metrics"}))
	waitFor(t, "scrapes", func() bool { return p.scrapes.Load() > 1 })
	for range 3 {
		s, latency := slice(t, 100)
		r.Load("r1", s, latency)
	}
	r.Runtime("r1", probeclient.Metrics{"/x:y": {Value: 42}})
	series, err := r.End("r1")
	if err != nil || series == 0 || len(r.Faults("r1")) > 0 {
		t.Fatalf("%d series, %v, faults %v", series, err, r.Faults("r1"))
	}
	store := metrics.In(dir)
	for prefix, want := range map[string]float64{
		`hone_load_requests_sent_total{instance="hone", job="hone"`: 303,
		`hone_load_requests_answered_total{`:                        300,
		`hone_load_latency_seconds{`:                                300, // its count
		`hone_load_rate_asked{`:                                     7,
		`runtime{instance="hone", job="go"`:                         42,
		`hone_subject_process_up{`:                                  1,
		`host{instance="hone", job="node"`:                          1,
		// the last one is the last of all
		`served{instance=`: float64(p.scrapes.Load()),
		`hone_info{instance="hone", job="hone", run="r1", version="test"`: 1,
	} {
		got := metricstest.Last(t, store, prefix)
		for _, value := range got {
			if value != want {
				t.Errorf("%s is %v, want %v", prefix, value, want)
			}
		}
		if len(got) != 1 {
			t.Errorf("%s: %v", prefix, got)
		}
	}
	if up := metricstest.Last(t, store, "up{"); len(up) != 4 {
		t.Errorf("up: %v", up)
	}
	for name, values := range metricstest.Series(t, store) {
		if strings.Contains(name, "variant=") || !strings.Contains(name, `run="r1"`) {
			t.Errorf("%s has labels of another run", name)
		}
		if strings.HasPrefix(name, "up{") && values[len(values)-1] != 1 {
			t.Errorf("%s: %v", name, values)
		}
	}
	for name, value := range metricstest.Last(t, store, `process_resident_memory_bytes{instance="hone", job="go"`) {
		if value <= 0 {
			t.Errorf("%s is %v", name, value)
		}
	}
	pid := r.child.cmd.Process.Pid
	r.Stop()
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the process lives on: %v", err)
	}
}

// The child and all its threads have a lower priority than hone, which keeps its own.
func TestLowPriority(t *testing.T) {
	own, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
	must(t, err)
	want := fmt.Sprint(min(20-own+nicer, nicest))
	r := start(t, t.TempDir(), nil)
	must(t, r.Begin(RunOptions{ID: "r1"}))
	stats, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", r.child.cmd.Process.Pid))
	if err != nil || len(stats) == 0 {
		t.Fatal(stats, err)
	}
	for _, file := range stats {
		text, err := os.ReadFile(file)
		must(t, err)
		_, rest, _ := strings.Cut(string(text), ") ")
		if nice := strings.Fields(rest)[16]; nice != want { // field 19 of proc_pid_stat(5)
			t.Errorf("%s: nice %s, want %s", file, nice, want)
		}
	}
	if now, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0); err != nil || now != own {
		t.Errorf("hone's own nice is %d, %v; it was %d", 20-now, err, 20-own)
	}
}

// A child that is killed leaves a gap, and the record goes on to its end.
func TestAKilledChildLeavesAGap(t *testing.T) {
	t.Parallel()
	dir, p := t.TempDir(), newPage(t)
	r := start(t, dir, nil)
	must(t, r.Begin(RunOptions{ID: "r1"}))
	must(t, r.Up("r1", Program{Tree: self(), Page: p.URL}))
	waitFor(t, "scrapes", func() bool { return p.scrapes.Load() > 1 })
	s, latency := slice(t, 10)
	r.Load("r1", s, latency)
	must(t, r.child.cmd.Process.Kill())
	<-r.child.gone
	before := p.scrapes.Load()
	s, latency = slice(t, 20)
	waitFor(t, "the next child", func() bool { r.Load("r1", s, latency); return p.scrapes.Load() > before+1 })
	if _, err := r.End("r1"); err != nil {
		t.Fatal(err)
	}
	if faults := r.Faults("r1"); len(faults) == 0 ||
		!strings.Contains(faults[0], "signal: killed): there is a gap in the record") {
		t.Errorf("faults %q", faults)
	}
	if runs, err := metrics.In(dir).Runs(); err != nil || len(runs) != 1 || runs[0].Part {
		t.Errorf("runs %v, %v", runs, err)
	}
	for name, value := range metricstest.Last(t, metrics.In(dir), "hone_load_requests_answered_total{") {
		if value < 30 {
			t.Errorf("%s is %v, want 30 or more", name, value)
		}
	}
	for name, values := range metricstest.Series(t, metrics.In(dir)) {
		if strings.HasPrefix(name, "served{") && len(values) < 3 {
			t.Errorf("%s has %v, want 3 samples or more", name, values)
		}
	}
}

// One that dies again and again is given up; the measurement is not told to end.
func TestAChildThatCannotStayIsGivenUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := start(t, dir, nil)
	must(t, r.Begin(RunOptions{ID: "r1"}))
	s, latency := slice(t, 1)
	for range mostChildren {
		must(t, r.child.cmd.Process.Kill())
		<-r.child.gone
		r.runs["r1"].sent = time.Time{}
		r.Load("r1", s, latency)
	}
	if _, err := r.End("r1"); fail.ExitCode(err) != int(fail.Environment) ||
		!strings.Contains(err.Error(), "signal: killed") {
		t.Errorf("End: %v", err)
	}
	if runs, err := metrics.In(dir).Runs(); err != nil || len(runs) != 1 || !runs[0].Part {
		t.Errorf("its log is not kept: %v, %v", runs, err)
	}
}

// A child that hangs holds nothing up: what it does not take is dropped, and what waits for
// it ends.
func TestAChildThatHangs(t *testing.T) {
	r := start(t, t.TempDir(), nil)
	must(t, r.Begin(RunOptions{ID: "r1"}))
	must(t, r.child.cmd.Process.Signal(syscall.SIGSTOP))
	s, latency := slice(t, 1)
	for range 2 * mostLatencies {
		r.runs["r1"].sent = time.Time{} // each slice is to be sent at once
		r.Load("r1", s, latency)
	}
	r.patience.long = time.Millisecond
	if _, err := r.End("r1"); fail.ExitCode(err) != int(fail.Environment) ||
		!strings.Contains(err.Error(), errSilent.Error()) {
		t.Errorf("End: %v", err)
	}
}

// The second Ctrl-C does not wait for the child.
func TestHardEndsTheWait(t *testing.T) {
	hard, end := context.WithCancel(t.Context())
	r := start(t, t.TempDir(), func(o *Options) { o.Hard = hard })
	must(t, r.Begin(RunOptions{ID: "r1"}))
	must(t, r.child.cmd.Process.Signal(syscall.SIGSTOP))
	end()
	if _, err := r.End("r1"); !errors.Is(err, context.Canceled) {
		t.Errorf("End: %v", err)
	}
}

// When hone dies the child ends, whatever it does, and what it wrote can be read.
func TestTheChildEndsWithHone(t *testing.T) {
	t.Parallel()
	dir, p := t.TempDir(), newPage(t)
	r := start(t, dir, nil)
	must(t, r.Begin(RunOptions{ID: "r1"}))
	must(t, r.Up("r1", Program{Tree: self(), Page: p.URL}))
	waitFor(t, "scrapes", func() bool { return p.scrapes.Load() > 2 })
	r.child.life.Close() // the kernel does it when hone is killed
	<-r.child.gone
	if got := metricstest.Last(t, metrics.In(dir), "served{"); len(got) != 1 {
		t.Errorf("the file has %v", got)
	}
}

// In a comparison a page is scraped at both ends of a start and not in between, and all
// starts of a variant are one series.
func TestPagesOfAComparison(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := start(t, dir, nil)
	for id, variant := range map[string]string{"r1": "A", "r2": "B"} {
		must(t, r.Begin(RunOptions{ID: id, Variant: variant}))
		for range 2 {
			p := newPage(t)
			must(t, r.Up(id, Program{Tree: self(), Page: p.URL, OnlyEnds: true}))
			if n := p.scrapes.Load(); n != 1 {
				t.Errorf("%d scrapes at the start", n)
			}
			time.Sleep(interval + interval/2) // a moment at which it would be scraped
			if n := p.scrapes.Load(); n != 1 {
				t.Errorf("%d scrapes while slices are taken", n)
			}
			must(t, r.Down(id))
			if n := p.scrapes.Load(); n != 2 {
				t.Errorf("%d scrapes at the end", n)
			}
		}
	}
	for _, id := range []string{"r1", "r2"} {
		if _, err := r.End(id); err != nil {
			t.Fatal(err)
		}
	}
	got := metricstest.Series(t, metrics.In(dir))
	for _, name := range []string{
		`served{instance="A", job="subject", run="r1", variant="A"}`,
		`served{instance="B", job="subject", run="r2", variant="B"}`,
	} {
		if len(got[name]) != 4 {
			t.Errorf("%s: %v, want 4 scrapes", name, got[name])
		}
	}
	if all := metricstest.Last(t, metrics.In(dir), "served{"); len(all) != 2 {
		t.Errorf("served: %v", all)
	}
}

// A disk's or a directory's error is that of the run, with its kind.
func TestErrorsKeepTheirKind(t *testing.T) {
	dir := t.TempDir()
	r := start(t, dir, nil)
	must(t, r.Begin(RunOptions{ID: "r1"}))
	if err := r.Begin(RunOptions{ID: "r1"}); fail.ExitCode(err) != int(fail.Storage) ||
		!strings.Contains(err.Error(), "exists") {
		t.Errorf("a run that has series: %v", err)
	}
	if err := r.Begin(RunOptions{ID: "../x"}); fail.ExitCode(err) != int(fail.BadInput) {
		t.Errorf("a name outside: %v", err)
	}
	if _, err := Start(Options{Argv: []string{filepath.Join(dir, "none")},
		Hard: t.Context()}); fail.ExitCode(err) != int(fail.Environment) {
		t.Errorf("an executable that is not there: %v", err)
	}
}

// Who runs the role by hand gets an exit code and no hang.
func TestByHand(t *testing.T) {
	cmd := exec.Command(os.Args[0], role)
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != int(fail.BadInput) {
		t.Errorf("%v", err)
	}
}
