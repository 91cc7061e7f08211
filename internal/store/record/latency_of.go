package record

import "github.com/HdrHistogram/hdrhistogram-go"

// LatencyOf has the quantiles of a histogram; nil where it has none.
func LatencyOf(h *hdrhistogram.Histogram) *Latency {
	if h == nil || h.TotalCount() == 0 {
		return nil
	}
	q := h.ValueAtQuantile
	return &Latency{Count: h.TotalCount(), P50: q(50), P75: q(75), P90: q(90), P95: q(95), P99: q(99),
		P999: q(99.9), P9999: q(99.99), Max: h.Max()}
}
