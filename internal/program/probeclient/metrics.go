package probeclient

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
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
	Histogram Histogram
}

// Histogram counts values by bucket, in the order of the buckets, those that are empty left
// out.
type Histogram []Bin

// Bin counts the values in [From, To). The outer boundaries may be infinite.
type Bin struct {
	From, To float64
	Count    uint64
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
		Uint64    *uint64
		Float64   *jsonFloat
		Histogram *[][3]jsonFloat
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
	case raw.Histogram != nil:
		m.Histogram = Histogram{}
		last := math.Inf(-1)
		for i, bin := range *raw.Histogram {
			from, to, count := float64(bin[0]), float64(bin[1]), float64(bin[2])
			if !(from >= last && to > from) {
				return fmt.Errorf("histogram: bucket %d is not above the one before", i)
			}
			if !(count >= 1 && count < 1<<63 && count == math.Trunc(count)) {
				return fmt.Errorf("histogram: bucket %d holds %v values", i, count)
			}
			m.Histogram = append(m.Histogram, Bin{from, to, uint64(count)})
			last = to
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
func (h Histogram) Total() uint64 {
	var total uint64
	for _, b := range h {
		total += b.Count
	}
	return total
}

// Sub returns what h counted since an earlier reading of the same process. Readings that
// cannot be of one, as a count went down, give nil.
func (h Histogram) Sub(earlier Histogram) Histogram {
	diff, i := Histogram{}, 0
	for _, b := range h {
		if i < len(earlier) && earlier[i].From == b.From {
			if earlier[i].Count > b.Count {
				return nil
			}
			b.Count -= earlier[i].Count
			i++
		}
		if b.Count > 0 {
			diff = append(diff, b)
		}
	}
	if i < len(earlier) {
		return nil
	}
	return diff
}

// Add returns the sum of two histograms with the same buckets.
func (h Histogram) Add(other Histogram) Histogram {
	sum := make(Histogram, 0, max(len(h), len(other)))
	for len(h) > 0 && len(other) > 0 {
		switch a, b := h[0], other[0]; {
		case a.From == b.From:
			sum = append(sum, Bin{a.From, a.To, a.Count + b.Count})
			h, other = h[1:], other[1:]
		case a.From < b.From:
			sum, h = append(sum, a), h[1:]
		default:
			sum, other = append(sum, b), other[1:]
		}
	}
	return append(append(sum, h...), other...)
}

// Quantile returns the upper boundary of the bucket that holds the value of rank
// ceil(q*n), for 0 <= q <= 1: never less than the true quantile. In a last bucket
// without end it is that bucket's lower boundary. It is NaN for an empty histogram.
func (h Histogram) Quantile(q float64) float64 {
	total := h.Total()
	if total == 0 {
		return math.NaN()
	}
	rank := max(uint64(math.Ceil(q*float64(total))), 1)
	var seen uint64
	for _, b := range h {
		if seen += b.Count; seen >= rank {
			if math.IsInf(b.To, 1) {
				return b.From
			}
			return b.To
		}
	}
	return h[len(h)-1].To
}
