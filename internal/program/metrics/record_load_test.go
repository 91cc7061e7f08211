package metrics_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/load"
)

// A load test that is over has series as if it had been scraped: counters that go on, each at the end of its slice.
func TestALoadTestBecomesSeries(t *testing.T) {
	store, start := metrics.In(t.TempDir()), time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	var all []load.Slice
	for i := range 3 {
		h := hdrhistogram.New(1, int64(time.Minute), 2)
		if err := h.RecordValues(int64(time.Millisecond), 10); err != nil {
			t.Fatal(err)
		}
		s := load.Slice{Start: start.Add(time.Duration(i) * time.Second), Duration: time.Second,
			Latencies: load.Latencies{Service: h}, Connections: load.Connections{Live: 4}}
		s.Sent, s.Answered, s.Failed = 12, 10, 2
		s.Causes[load.Reset] = 2
		all = append(all, s)
	}
	if err := store.RecordLoad("0a1b2c3d", 12, time.Second, slices.Values(all)); err != nil {
		t.Fatal(err)
	}
	from, part, err := store.Open("0a1b2c3d")
	if err != nil || part {
		t.Fatal(part, err)
	}
	defer from.Close()
	file, err := metrics.Read(from)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := metrics.WriteOpenMetrics(&text, file); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`hone_load_requests_answered_total{run="0a1b2c3d",job="hone",instance="hone"} 10.0 1.795867201e+09`,
		`hone_load_requests_answered_total{run="0a1b2c3d",job="hone",instance="hone"} 30.0 1.795867203e+09`,
		`hone_load_requests_failed_total{cause="connection reset",run="0a1b2c3d",job="hone",instance="hone"} 6.0`,
		`hone_load_rate_asked{run="0a1b2c3d",job="hone",instance="hone"} 12.0`,
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %s in\n%s", want, text.String())
		}
	}
}
