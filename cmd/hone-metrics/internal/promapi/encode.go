package promapi

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
)

// The functions here append JSON as Prometheus writes it
// (https://prometheus.io/docs/prometheus/latest/querying/api/#expression-query-result-formats).
// The values' own MarshalJSON is for debugging: it writes large and small numbers otherwise,
// and is many times slower.

// appendResult appends {"resultType":...,"result":...} without the closing brace.
func appendResult(b []byte, v parser.Value) ([]byte, error) {
	b = append(b, `{"resultType":"`...)
	b = append(b, v.Type()...)
	b = append(b, `","result":`...)
	switch v := v.(type) {
	case promql.Vector:
		return appendList(b, v, appendSample), nil
	case promql.Matrix:
		return appendList(b, v, appendSeries), nil
	case promql.Scalar, promql.String:
		one, err := json.Marshal(v)
		return append(b, one...), err
	}
	return b, fmt.Errorf("encode result: no form for a %T", v)
}

// maxAnswer is the longest answer, in bytes: ten times what Grafana draws.
const maxAnswer = 64 << 20

var errLong = fmt.Errorf("the answer would have more than %d bytes: take a larger step, a shorter range, fewer "+
	"series, or a limit", maxAnswer)

// fits says whether a value can be written in maxAnswer bytes, before it is written.
func fits(v parser.Value) error {
	m, ok := v.(promql.Matrix)
	if !ok {
		return nil // a vector is as large as what the engine holds
	}
	const pointBytes = 24 // [1767326400.123,"1234"], about
	size := 0
	for _, s := range m {
		size += len(s.Floats) * pointBytes
		s.Metric.Range(func(l labels.Label) { size += len(l.Name) + len(l.Value) + 6 })
		for _, h := range s.Histograms {
			size += pointBytes + 4*h.H.Size() // buckets as text
		}
		if size > maxAnswer {
			return errLong
		}
	}
	return nil
}

func appendList[T any](b []byte, list []T, one func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, element := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, element)
	}
	return append(b, ']')
}

func appendSample(b []byte, s promql.Sample) []byte {
	b = appendLabels(append(b, `{"metric":`...), s.Metric)
	if s.H != nil {
		b = appendHPoint(append(b, `,"histogram":`...), promql.HPoint{T: s.T, H: s.H})
	} else {
		b = appendFPoint(append(b, `,"value":`...), promql.FPoint{T: s.T, F: s.F})
	}
	return append(b, '}')
}

func appendSeries(b []byte, s promql.Series) []byte {
	b = appendLabels(append(b, `{"metric":`...), s.Metric)
	if len(s.Floats) > 0 {
		b = appendList(append(b, `,"values":`...), s.Floats, appendFPoint)
	}
	if len(s.Histograms) > 0 {
		b = appendList(append(b, `,"histograms":`...), s.Histograms, appendHPoint)
	}
	return append(b, '}')
}

func appendFPoint(b []byte, p promql.FPoint) []byte {
	b = appendTime(append(b, '['), p.T)
	b = appendFloat(append(b, ','), p.F)
	return append(b, ']')
}

func appendHPoint(b []byte, p promql.HPoint) []byte {
	b = appendTime(append(b, '['), p.T)
	b = appendHistogram(append(b, ','), p.H)
	return append(b, ']')
}

func appendLabels(b []byte, l labels.Labels) []byte {
	b = append(b, '{')
	first := true
	l.Range(func(l labels.Label) {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = appendString(append(appendString(b, l.Name), ':'), l.Value)
	})
	return append(b, '}')
}

// appendTime appends milliseconds since 1970 as seconds, without the error of a division.
func appendTime(b []byte, t int64) []byte {
	u := uint64(t)
	if t < 0 {
		b = append(b, '-')
		u = -u
	}
	b = strconv.AppendUint(b, u/1000, 10)
	if ms := u % 1000; ms != 0 {
		b = append(b, '.', byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10))
	}
	return b
}

// appendFloat appends a number in quotes, since JSON has neither NaN nor infinities.
func appendFloat(b []byte, f float64) []byte {
	form := byte('f')
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) { // where ECMAScript changes, too
		form = 'e'
	}
	return append(strconv.AppendFloat(append(b, '"'), f, form, -1, 64), '"')
}

// appendHistogram appends count, sum and the buckets that hold something: [rule, lower,
// upper, count]. The rule says which of its bounds belong to the bucket: 0 the upper, 1 the
// lower, 2 none, 3 both.
func appendHistogram(b []byte, h *histogram.FloatHistogram) []byte {
	b = appendFloat(append(b, `{"count":`...), h.Count)
	b = appendFloat(append(b, `,"sum":`...), h.Sum)
	next := `,"buckets":[`
	for it := h.AllBucketIterator(); it.Next(); {
		bucket := it.At()
		if bucket.Count == 0 {
			continue
		}
		b = append(append(b, next...), '[', rule(bucket.LowerInclusive, bucket.UpperInclusive))
		for _, f := range [...]float64{bucket.Lower, bucket.Upper, bucket.Count} {
			b = appendFloat(append(b, ','), f)
		}
		b = append(b, ']')
		next = ","
	}
	if next == "," {
		b = append(b, ']')
	}
	return append(b, '}')
}

func rule(lower, upper bool) byte {
	switch {
	case lower && upper:
		return '3'
	case lower:
		return '1'
	case upper:
		return '0'
	}
	return '2'
}

func appendStrings(b []byte, list []string) []byte { return appendList(b, list, appendString) }

// appendString appends a JSON string. What is not plain ASCII is left to encoding/json.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(s) // strings have no fault to report
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}
