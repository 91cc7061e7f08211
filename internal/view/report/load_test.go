package report

import (
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/load"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var loadStart = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

// nanos is a histogram with an eighth of the cells of the engine's, which the race detector
// walks in bearable time.
func nanos() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, int64(10*time.Minute), 2)
}

// loadHeader is a load of ten connections on an HTTP server.
func loadHeader(s load.Schedule) recording.Header {
	return recording.Header{
		Setup: recording.Setup{
			Hone: "v1.2.3", Go: "go1.26.8", Machine: recording.Machine{CPU: "AMD EPYC 7763", CPUs: "2 CPUs",
				OS: "linux"},
			Start: loadStart, Plan: load.Plan{Connections: 10, Depth: 1, Timeout: time.Second}, Schedule: s,
		},
		Target: "http://127.0.0.1:8080/hello?name=a", Protocol: "http", Interval: time.Second,
	}
}

// loadSlice is one second of n requests served in about a millisecond, all of them the
// later by a pause that the target makes at its beginning.
func loadSlice(r *rand.Rand, at time.Duration, stage, n int, open bool, pause time.Duration) load.Slice {
	s := load.Slice{Start: loadStart.Add(at), Duration: time.Second, Offset: at, Stage: stage,
		Latencies:   load.Latencies{Service: nanos()},
		Connections: load.Connections{Live: 10}, WorkerTime: load.WorkerTime{WorkerCPU: 310 * time.Millisecond,
			WorkerWall: time.Second}, Codes: map[int]uint64{200: uint64(n)}}
	if open {
		s.Response, s.Lag, s.Spin = nanos(), nanos(), 60*time.Millisecond
	}
	s.Counts = load.Counts{Scheduled: uint64(n), Sent: uint64(n), Answered: uint64(n), BytesSent: uint64(97 * n),
		BytesReceived: uint64(1210 * n)}
	for i := range n {
		service := int64(4e5 + 3e5*r.ExpFloat64())
		s.Service.RecordValue(service)
		if !open {
			continue
		}
		lag := int64(3e3 * (1 + r.ExpFloat64()))
		wait := max(0, int64(pause)-int64(time.Second)*int64(i)/int64(n))
		s.Lag.RecordValue(lag)
		s.Response.RecordValue(service + lag + wait)
	}
	return s
}

// loadRecording is a test of the schedule; every second of it has its rate.
func loadRecording(t testing.TB, s load.Schedule, pauseAt int, change func(*load.Slice)) *recording.Recording {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	rec := recording.New(loadHeader(s))
	var tally load.Tally
	at, stage, inStage := time.Duration(0), 0, time.Duration(0)
	for i := 0; at < s.Length(); i++ {
		n := 1000
		if s.Open() {
			n = int(recording.MeanRate(s, at, at+time.Second))
		}
		pause := time.Duration(0)
		if i == pauseAt {
			pause = 600 * time.Millisecond
		}
		one := loadSlice(r, at, stage, n, s.Open(), pause)
		if change != nil {
			change(&one)
		}
		tally.Add(one)
		if err := rec.Add(one); err != nil {
			t.Fatal(err)
		}
		at, inStage = at+time.Second, inStage+time.Second
		if stage < len(s.Stages)-1 && inStage >= s.Stages[stage].For {
			stage, inStage = stage+1, 0
		}
	}
	rec.Final.Counts = tally.Counts
	rec.Final.Connect = nanos()
	rec.Final.Connect.RecordValues(120_000, 10)
	return rec
}

func closedLoad(t testing.TB) *recording.Recording {
	r := loadRecording(t, load.ClosedLoop(5*time.Second), -1, nil)
	r.Final.Thresholds = []recording.ThresholdResult{{Rule: "p99<10ms", Measured: "1.79 ms"},
		{Rule: "rate>2k", Measured: "1,000/s", Failed: true}}
	return r
}

// openLoad pauses for 0.6 s in its fifth second.
func openLoad(t testing.TB) *recording.Recording {
	r := loadRecording(t, load.OpenLoop(1000, 10*time.Second), 4, nil)
	r.Header.Notes = []string{"the target is warm"}
	r.Header.Calibration = &recording.Calibration{CeilingHz: 151_000, FloorP50: 21 * time.Microsecond,
		FloorP99:      44 * time.Microsecond,
		CPUPerRequest: 5300, LagP50: 9 * time.Microsecond, LagP99: 31 * time.Microsecond}
	r.Final.Pauses = load.Pauses{Count: 3, Total: 300 * time.Microsecond, Max: 140 * time.Microsecond}
	return r
}

func stepsLoad(t testing.TB) *recording.Recording {
	s := load.Schedule{Arrivals: load.Poisson}
	for _, rate := range []float64{500, 1000, 2000} {
		s.Stages = append(s.Stages, load.Stage{From: rate, To: rate, For: 2 * time.Second})
	}
	return loadRecording(t, s, 5, nil)
}

// failedLoad answers a tenth with an error, and gives up on some.
func failedLoad(t testing.TB) *recording.Recording {
	r := loadRecording(t, load.OpenLoop(200, 3*time.Second), -1, func(s *load.Slice) {
		s.Answered, s.Failed, s.Lost, s.Stray = 178, 22, 2, 1
		s.Causes[load.WrongStatus], s.Causes[load.Reset] = 20, 2
		s.WrongStatuses.Add(503, 20)
		s.Codes = map[int]uint64{200: 160, 302: 10, 503: 20}
		s.FailedLatency = nanos()
		s.FailedLatency.RecordValues(3e5, 20)
		if s.Offset == 2*time.Second {
			s.Answered, s.Unanswered = 170, 8
			s.Age = nanos()
			s.Age.RecordValues(9e8, 8)
		}
		s.Reconnects, s.Live = 2, 8
	})
	r.Final.Doubts = []load.Doubt{
		{Name: load.DoubtWrong, Text: "replies wrong or lost: 66 of 592: wrong status 60 (503: 60), connection reset 6",
			Fatal: true},
		{Name: load.DoubtLive, Text: "live connections short: 8 of 10", Fatal: true},
		{Name: load.DoubtWithheld, Text: "8 requests still unanswered at the end (1.3 % of those sent)"},
	}
	return r
}

// writeLoad reports a recording, with what else is known of its test.
func writeLoad(w io.Writer, r *recording.Recording, known loadtests.Document, d model.Detail) error {
	known.Summarize(r)
	tally := r.Tally()
	return Load(w, &known, tally.Latency(), d)
}

func TestLoadReports(t *testing.T) {
	empty := recording.New(loadHeader(load.ClosedLoop(time.Second)))
	empty.Header.Target = "http://h/\x1b[31m'; rm -rf /"
	empty.Final.Doubts = []load.Doubt{{Name: load.DoubtNoAnswer, Text: "no answer: 0 requests sent, none answered",
		Fatal: true}}
	for name, r := range map[string]*recording.Recording{
		"closed": closedLoad(t), "open": openLoad(t), "steps": stepsLoad(t), "failed": failedLoad(t), "empty": empty,
		"nothing": {},
	} {
		t.Run(name, func(t *testing.T) {
			for d, part := range map[model.Detail]string{model.Brief: "brief_load_", model.Full: "load_"} {
				var b strings.Builder
				if err := writeLoad(&b, r, loadtests.Document{File: map[string]string{"open": "a run.hone",
					"failed": "b.hone"}[name],
					Command: []string{"load", "http://127.0.0.1:8080/hello?name=a", "--header=Authorization: ***",
						"--body=@b.json", "--requests=9"}}, d); err != nil {
					t.Fatal(err)
				}
				golden(t, filepath.Join("testdata", part+name+".txt"), b.String())
				inColumns(t, b.String())
				inASCII(t, b.String())
			}
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: go test -update rewrites it if this is right; got\n%s\nwant\n%s", file, got, want)
	}
}

// A bad measurement is said before any number.
func TestABadLoadIsSaidFirst(t *testing.T) {
	var b strings.Builder
	if err := writeLoad(&b, failedLoad(t), loadtests.Document{}, model.Full); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(b.String(), "measurement INVALID: replies wrong or lost") {
		t.Errorf("begins with %.80q", b.String())
	}
}

// Whatever the values, the bars hold each of them once, in order, within their borders.
func TestBarsHoldEveryValueOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := nanos()
		for range rapid.IntRange(1, 6).Draw(rt, "spikes") {
			at := rapid.Int64Range(0, int64(time.Minute)).Draw(rt, "at")
			h.RecordValues(at, rapid.Int64Range(1, 1e6).Draw(rt, "count"))
		}
		all := classes(h)
		total, end := int64(0), -1.0
		for _, c := range all {
			if c.low >= c.high || end >= 0 && c.low != end {
				rt.Fatalf("borders of %v", all)
			}
			total, end = total+c.count, c.high
		}
		if total != h.TotalCount() || len(all) > 14 {
			rt.Fatalf("%d of %d values in %d classes", total, h.TotalCount(), len(all))
		}
		var last int64 // where the cell of the largest value begins
		for _, bar := range h.Distribution() {
			if bar.Count > 0 {
				last = bar.From
			}
		}
		if float64(h.Min()) > 1 && all[0].low > float64(h.Min()) || float64(last) >= end {
			rt.Fatalf("values from %d to %d outside of %v", h.Min(), h.Max(), all)
		}
		for _, line := range strings.Split(bars("x", all), "\n") {
			if len(line) > 100 {
				rt.Fatalf("%d columns: %s", len(line), line)
			}
		}
	})
}
