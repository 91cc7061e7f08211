package library

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
)

// Answer is what a query found.
type Answer struct {
	// Kind is "vector" or "matrix" (series with one point or many), "scalar" or "string".
	Kind   string   `json:"kind"`
	Series []Series `json:"series"`
	// Text is the value of a string.
	Text string `json:"text,omitempty"`
	// Warnings are what Prometheus says of an answer that may not be what was meant.
	Warnings []string `json:"warnings,omitempty"`
}

// Series is points of the same labels, the earliest first. A scalar has no labels.
type Series struct {
	Labels map[string]string `json:"labels,omitempty"`
	Points []Point           `json:"points"`
	// Name is the series as PromQL writes it: name{label="value"}.
	Name string `json:"name,omitempty"`
}

// Point is a value at a moment.
type Point struct {
	At time.Time `json:"at"`
	// Value is the number, or the count of a histogram.
	Value Number `json:"value"`
	// Histogram is a native histogram as PromQL writes it; empty for a number.
	Histogram string `json:"histogram,omitempty"`
}

// Number is a float64 whose JSON is a string, as in Prometheus' API: "NaN" and "+Inf" are
// values that JSON's numbers lack.
type Number float64

// MarshalJSON writes the shortest text that stands for the number.
func (n Number) MarshalJSON() ([]byte, error) {
	return json.Marshal(strconv.FormatFloat(float64(n), 'g', -1, 64))
}

func answerOf(value parser.Value, warnings []string) Answer {
	a := Answer{Kind: string(value.Type()), Warnings: warnings, Series: []Series{}}
	switch v := value.(type) {
	case promql.Matrix:
		for _, s := range v {
			one := seriesOf(s.Metric)
			for _, p := range s.Floats {
				one.Points = append(one.Points, pointOf(p.T, p.F, nil))
			}
			for _, p := range s.Histograms {
				one.Points = append(one.Points, pointOf(p.T, 0, p.H))
			}
			a.Series = append(a.Series, one)
		}
	case promql.Vector:
		for _, s := range v {
			one := seriesOf(s.Metric)
			one.Points = []Point{pointOf(s.T, s.F, s.H)}
			a.Series = append(a.Series, one)
		}
	case promql.Scalar:
		a.Series = []Series{{Points: []Point{pointOf(v.T, v.V, nil)}}}
	case promql.String:
		a.Text = v.V
	}
	return a
}

// pointOf is a point at milliseconds since 1970: a number, unless there is a histogram.
func pointOf(t int64, number float64, h *histogram.FloatHistogram) Point {
	if h != nil {
		return Point{At: time.UnixMilli(t), Value: Number(h.Count), Histogram: h.String()}
	}
	return Point{At: time.UnixMilli(t), Value: Number(number)}
}

func seriesOf(l labels.Labels) Series { return Series{Labels: l.Map(), Name: nameOf(l)} }

// nameOf writes labels as PromQL does: name{label="value"}.
func nameOf(l labels.Labels) string {
	name := l.Get(model.MetricNameLabel)
	if !model.LegacyValidation.IsValidMetricName(name) {
		return l.String() // none, or one that must be quoted
	}
	rest := labels.NewBuilder(l).Del(model.MetricNameLabel).Labels()
	if rest.IsEmpty() {
		return name
	}
	return name + rest.String()
}
