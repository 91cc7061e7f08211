package watch

import (
	"math"
	"testing"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser/posrange"
	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/program/metricname"
)

// Quantiles are those of Prometheus: its own functions are the outside source.
func TestQuantileAgainstPrometheus(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &family{name: "x_seconds", buckets: map[float64]float64{}}
		var theirs promql.Buckets
		bound, cumulative := 0.0, 0.0
		for range rapid.IntRange(1, 12).Draw(t, "buckets") {
			bound += rapid.Float64Range(0.001, 1).Draw(t, "width")
			cumulative += float64(rapid.IntRange(0, 50).Draw(t, "count"))
			f.buckets[bound] = cumulative
			theirs = append(theirs, promql.Bucket{UpperBound: bound, Count: cumulative})
		}
		cumulative += float64(rapid.IntRange(0, 5).Draw(t, "beyond"))
		f.buckets[math.Inf(1)] = cumulative
		theirs = append(theirs, promql.Bucket{UpperBound: math.Inf(1), Count: cumulative})
		q := rapid.Float64Range(0.01, 0.999).Draw(t, "q")
		got := quantile(f.bins(), q)
		if cumulative == 0 {
			if got.Known() {
				t.Fatalf("of nothing: %v", got)
			}
			return
		}
		want, _, _, _, _, _ := promql.BucketQuantile(q, theirs)
		if x, _ := got.Get(); math.Abs(x-want) > 1e-9*max(1, want) {
			t.Fatalf("quantile %v of %v: %v, Prometheus says %v", q, theirs, x, want)
		}
	})
}

func TestNativeQuantileAgainstPrometheus(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := rapid.Int32Range(-2, 5).Draw(t, "schema")
		h := &histogram.FloatHistogram{Schema: schema, ZeroThreshold: 1e-9}
		n := rapid.IntRange(1, 10).Draw(t, "buckets")
		h.PositiveSpans = []histogram.Span{{Offset: rapid.Int32Range(-20, 5).Draw(t, "offset"), Length: uint32(n)}}
		for range n {
			count := float64(rapid.IntRange(1, 40).Draw(t, "count"))
			h.PositiveBuckets = append(h.PositiveBuckets, count)
			h.Count += count
		}
		q := rapid.Float64Range(0.01, 0.999).Draw(t, "q")
		want, _ := promql.HistogramQuantile(q, h, "x", posrange.PositionRange{})
		got, _ := quantile((&family{name: "x_seconds", native: h}).bins(), q).Get()
		if math.Abs(got-want) > 1e-9*max(1, want) {
			t.Fatalf("quantile %v: %v, Prometheus says %v", q, got, want)
		}
	})
}

func TestUnits(t *testing.T) {
	for name, want := range map[string]float64{
		"http_request_duration_seconds": 1, "rpc_latency_ms": 1e-3, "x_milliseconds": 1e-3, "x_us": 1e-6,
		"y_nanoseconds": 1e-9,
		"latency":       1, "response_size_bytes": 0, "batch_size": 0, "focus": 0,
	} {
		if got := metricname.DurationUnit(name, ""); got != want {
			t.Errorf("unit of %s is %v, want %v", name, got, want)
		}
	}
	for of, want := range map[[2]string]float64{
		{"wait_minutes", "minutes"}: 60, {"latency_ratio", "ratio"}: 0, {"x_duration_bytes", "bytes"}: 0,
		{"x", "ms"}: 1e-3,
	} {
		if got := metricname.DurationUnit(of[0], of[1]); got != want {
			t.Errorf("unit of %s, declared as %s, is %v, want %v", of[0], of[1], got, want)
		}
	}
	f := &family{name: "x_ms", buckets: map[float64]float64{10: 0, 20: 100, math.Inf(1): 100}}
	if x, _ := quantile(f.bins(), 0.5).Get(); math.Abs(x-0.015) > 1e-12 {
		t.Errorf("p50 of 10 to 20 ms is %v s", x)
	}
}
