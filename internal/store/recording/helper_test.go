package recording

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/load"
)

// histogram holds the values, with the range that the engine uses.
func histogram(values ...int64) *hdrhistogram.Histogram {
	h := hdrhistogram.New(1, int64(10*time.Minute), 3)
	for _, v := range values {
		if err := h.RecordValue(v); err != nil {
			panic(err)
		}
	}
	return h
}

var start = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

// openHeader is an open loop over two stages of two seconds each.
func openHeader() Header {
	return Header{
		Setup: Setup{
			Hone: "v1.2.3", Go: "go1.26.8", Machine: Machine{CPU: "EPYC 7763", CPUs: "2", OS: "linux"}, Start: start,
			Plan: load.Plan{Connections: 10, Depth: 1, Timeout: time.Second},
			Schedule: load.Schedule{Stages: []load.Stage{
				{From: 100, To: 100, For: 2 * time.Second}, {From: 100, To: 300, For: 2 * time.Second},
			}},
		},
		Target: "http://127.0.0.1:8080/hello", Targets: []string{"GET /hello", "GET /bye"}, Protocol: "http",
		Options: json.RawMessage(`{"headers":["Accept: */*"]}`),
		Drain:   time.Second, Interval: time.Second, Notes: []string{"a note"},
	}
}

// slice is one second of an open loop at offset, with requests answered in some
// milliseconds.
func slice(r *rand.Rand, offset time.Duration, stage, requests int) load.Slice {
	s := load.Slice{
		Start: start.Add(offset), Duration: time.Second, Offset: offset, Stage: stage,
		Latencies:   load.Latencies{Service: histogram(), Response: histogram(), Lag: histogram()},
		Codes:       map[int]uint64{200: uint64(requests)},
		Connections: load.Connections{Live: 10}, WorkerTime: load.WorkerTime{WorkerCPU: 300 * time.Millisecond,
			WorkerWall: time.Second, Spin: 50 * time.Millisecond},
	}
	s.Scheduled, s.Sent, s.Answered = uint64(requests), uint64(requests), uint64(requests)
	s.BytesSent, s.BytesReceived = uint64(100*requests), uint64(500*requests)
	s.Targets = []load.TargetSlice{{Answered: uint64(requests), Latency: histogram()}, {Failed: 1}}
	s.FirstByte, s.Gaps, s.MessageAge, s.Messages = histogram(1e6), histogram(2e6, 3e6), histogram(4e6), 3
	for range requests {
		service := int64(1e6 * (1 + r.ExpFloat64()))
		lag := int64(1e4 * r.ExpFloat64())
		s.Service.RecordValue(service)
		s.Lag.RecordValue(lag)
		s.Response.RecordValue(service + lag)
		s.Targets[0].Latency.RecordValue(service + lag)
	}
	return s
}

// openRecording is a whole test under openHeader, the same for the same seed.
func openRecording(t testing.TB, seed uint64) *Recording {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	rec := New(openHeader())
	for i, requests := range []int{100, 100, 150, 250} {
		if err := rec.Add(slice(r, time.Duration(i)*time.Second, i/2, requests)); err != nil {
			t.Fatal(err)
		}
	}
	rec.Final.Counts = counted(rec.Slices)
	rec.Final.Connect = histogram(1e5, 2e5)
	rec.Final.Pauses = load.Pauses{Count: 2, Total: 200 * time.Microsecond, Max: 150 * time.Microsecond}
	rec.Final.Thresholds = []ThresholdResult{{Rule: "p99<10ms", Measured: "5.6 ms"}}
	return rec
}

// text is the recording as its file.
func text(t testing.TB, r *Recording) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func read(t testing.TB, file string) *Recording {
	t.Helper()
	r, err := Read(bytes.NewReader([]byte(file)), "test.hone")
	if err != nil {
		t.Fatal(err)
	}
	return r
}
