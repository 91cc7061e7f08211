package subject

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/fail"
)

// Metrics are values of runtime/metrics by name. What they mean and their units (the
// part behind the colon) is in the documentation of runtime/metrics. Those under
// /cpu/classes are estimates that move only at the end of a collection.
type Metrics map[string]Metric

// Metric is one value.
type Metric struct {
	// Value is the number; NaN for a histogram. Integers are exact up to 2^53.
	Value float64
	// Uint64 is the exact number of an integer metric.
	Uint64 uint64
	// Histogram is nil for a number.
	Histogram *Histogram
}

// Histogram counts values: Counts[i] of them are in [Buckets[i], Buckets[i+1]). The
// outer boundaries may be infinite.
type Histogram struct {
	Buckets []float64
	Counts  []uint64
}

// Metrics reads the named metrics, or all without a name. A name that the subject's
// Go release does not know is left out of the answer.
func (p *Probe) Metrics(ctx context.Context, names ...string) (Metrics, error) {
	page := "/metrics"
	for i, name := range names {
		page += map[bool]string{true: "?", false: "&"}[i == 0] + "name=" + name
	}
	var answer struct{ Metrics Metrics }
	if err := p.json(ctx, page, &answer); err != nil {
		return nil, err
	}
	if answer.Metrics == nil {
		return nil, fail.New(fail.Subject, "read metrics of the probe: there are none in the answer")
	}
	return answer.Metrics, nil
}

// UnmarshalJSON reads a metric as the probe writes it.
func (m *Metric) UnmarshalJSON(text []byte) error {
	var raw struct {
		Uint64  *uint64
		Float64 *jsonFloat
		Buckets []jsonFloat
		Counts  []uint64
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	*m = Metric{Value: math.NaN()}
	switch {
	case raw.Uint64 != nil:
		m.Uint64, m.Value = *raw.Uint64, float64(*raw.Uint64)
	case raw.Float64 != nil:
		m.Value = float64(*raw.Float64)
	case len(raw.Buckets) > 0:
		if len(raw.Buckets) != len(raw.Counts)+1 {
			return fmt.Errorf("histogram of %d boundaries and %d counts", len(raw.Buckets), len(raw.Counts))
		}
		m.Histogram = &Histogram{Buckets: make([]float64, len(raw.Buckets)), Counts: raw.Counts}
		for i, boundary := range raw.Buckets {
			m.Histogram.Buckets[i] = float64(boundary)
			if i > 0 && !(boundary > raw.Buckets[i-1]) {
				return fmt.Errorf("histogram boundary %d is not above the one before", i)
			}
		}
	}
	return nil
}

// jsonFloat is a number, or one of the strings "-Inf", "+Inf" and "NaN".
type jsonFloat float64

func (f *jsonFloat) UnmarshalJSON(text []byte) error {
	value, err := strconv.ParseFloat(strings.Trim(string(text), `"`), 64)
	*f = jsonFloat(value)
	return err
}

// Total is the number of values.
func (h *Histogram) Total() uint64 {
	var total uint64
	for _, n := range h.Counts {
		total += n
	}
	return total
}

// Sub returns what h counted since an earlier reading. Readings of different layout
// (another process) give nil.
func (h *Histogram) Sub(earlier *Histogram) *Histogram {
	if earlier == nil || len(h.Counts) != len(earlier.Counts) {
		return nil
	}
	diff := &Histogram{Buckets: h.Buckets, Counts: make([]uint64, len(h.Counts))}
	for i, n := range h.Counts {
		if n < earlier.Counts[i] || h.Buckets[i] != earlier.Buckets[i] {
			return nil
		}
		diff.Counts[i] = n - earlier.Counts[i]
	}
	return diff
}

// Quantile returns the upper boundary of the bucket that holds the value of rank
// ceil(q*n), for 0 <= q <= 1: never less than the true quantile. In a last bucket
// without end it is that bucket's lower boundary. It is NaN for an empty histogram.
func (h *Histogram) Quantile(q float64) float64 {
	total := h.Total()
	if total == 0 {
		return math.NaN()
	}
	rank := max(uint64(math.Ceil(q*float64(total))), 1)
	var seen uint64
	for i, n := range h.Counts {
		if seen += n; seen >= rank {
			if math.IsInf(h.Buckets[i+1], 1) {
				return h.Buckets[i]
			}
			return h.Buckets[i+1]
		}
	}
	return h.Buckets[len(h.Buckets)-1]
}
