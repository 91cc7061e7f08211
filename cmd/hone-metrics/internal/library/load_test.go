package library

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/load"
)

// show adds a slice to what a load shows.
func show(t *testing.T, l *metrics.Load, state *metrics.LoadState, slice load.Slice) {
	t.Helper()
	encoded, err := slice.EncodeLatency()
	if err != nil {
		t.Fatal(err)
	}
	state.Add(slice)
	if err := l.Show(*state, encoded); err != nil {
		t.Fatal(err)
	}
}

// The native histogram that is stored tells the quantiles of the load engine's own
// histogram to the width of a bucket, 2.2 %.
func TestLatencyQuantilesSurviveTheStore(t *testing.T) {
	h := hdrhistogram.New(1, 60e9, 3)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		if err := h.RecordValue(int64(math.Exp(13 + rng.NormFloat64()))); err != nil {
			t.Fatal(err)
		}
	}
	l := metrics.NewLoad(1000)
	slice := load.Slice{Latencies: load.Latencies{Service: h}, Connections: load.Connections{Live: 3},
		Counts: load.Counts{Sent: 20_010, Answered: 20_000, Failed: 10}}
	slice.Causes[load.WrongStatus] = 10
	show(t, l, &metrics.LoadState{}, slice)
	registry := prometheus.NewRegistry()
	registry.MustRegister(l)
	store := metrics.In(t.TempDir())
	record(t, store, metrics.RunOptions{Run: "r1", Sources: map[string]prometheus.Gatherer{metrics.JobLoad: registry}})
	for _, q := range []struct{ text, quantile string }{{"0.5", "50"}, {"0.9", "90"}, {"0.99", "99"},
		{"0.999", "99.9"}} {
		var percentile float64
		switch q.quantile {
		case "50":
			percentile = 50
		case "90":
			percentile = 90
		case "99":
			percentile = 99
		default:
			percentile = 99.9
		}
		want := float64(h.ValueAtQuantile(percentile)) / 1e9
		for _, got := range last(t, store, `histogram_quantile(`+q.text+`, hone_load_latency_seconds)`) {
			if math.Abs(got/want-1) > 0.023 {
				t.Errorf("p%s is %v in the store, %v in the histogram", q.quantile, got, want)
			}
		}
	}
	for expr, want := range map[string]float64{
		`histogram_count(hone_load_latency_seconds)`:            20_000,
		`hone_load_requests_sent_total`:                         20_010,
		`hone_load_requests_answered_total`:                     20_000,
		`sum(hone_load_requests_failed_total)`:                  10,
		`hone_load_requests_failed_total{cause="wrong status"}`: 10,
		`hone_load_connections`:                                 3,
		`hone_load_rate_asked`:                                  1000,
		`count(hone_load_requests_failed_total)`:                float64(load.NumCauses) - 1,
	} {
		got := last(t, store, expr)
		if len(got) != 1 {
			t.Errorf("%s: %v", expr, got)
		}
		for _, v := range got {
			if v != want {
				t.Errorf("%s is %v, want %v", expr, v, want)
			}
		}
	}
	mean := last(t, store, `histogram_avg(hone_load_latency_seconds)`)
	for _, got := range mean {
		if math.Abs(got*1e9/h.Mean()-1) > 0.001 {
			t.Errorf("mean %v, want %v ns", got, h.Mean())
		}
	}
}
