package probeclient

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/fail/failtest"
)

func TestProbeThatDoesNotAnswer(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	_, err := At(filepath.Join(t.TempDir(), "none")).Metrics(t.Context())
	failtest.Want(t, err, fail.Subject, "the probe is not answering", "--set no-inject")
	hangsUp := New(func(context.Context) (net.Conn, error) {
		near, far := net.Pipe()
		far.Close()
		return near, nil
	})
	_, err = hangsUp.Metrics(t.Context())
	failtest.Want(t, err, fail.Subject, "the probe is not answering")
}

func TestProbeThatIsSomethingElse(t *testing.T) {
	for body, want := range map[string]string{
		"<html>":                            "invalid character",
		"{}":                                "there are none",
		`{"metrics":{"a":{"uint64":-1}}}`:   "cannot unmarshal",
		`{"metrics":{"a":{"float64":"x"}}}`: "invalid syntax",
		`{"metrics":{"a":{"histogram":[[1,2,0]]}}}`:               "holds 0 values",
		`{"metrics":{"a":{"histogram":[[1,2,1.5]]}}}`:             "holds 1.5 values",
		`{"metrics":{"a":{"histogram":[[1,1,1]]}}}`:               "not above",
		`{"metrics":{"a":{"histogram":[["NaN",1,1]]}}}`:           "not above",
		`{"metrics":{"a":{"histogram":[[2,3,1],[0,1,1]]}}}`:       "not above",
		`{"metrics":{` + strings.Repeat(" ", maxPage) + `}}`:      "over 16 MB",
		`{"metrics":{"a":{"float64":"-Inf"},"b":{}},"more":[{}]}`: "",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_,
				_ = io.WriteString(w, body)
		}))
		p := New(func(ctx context.Context) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", server.Listener.Addr().String())
		})
		m, err := p.Metrics(t.Context())
		if want == "" {
			if err != nil || !math.IsInf(m["a"].Value, -1) || !math.IsNaN(m["b"].Value) {
				t.Errorf("%v %v", m, err)
			}
		} else {
			failtest.Want(t, err, fail.Subject, want)
		}
		server.Close()
	}
}

// A quantile of a histogram is never below the true one, and in the same bucket.
func TestHistogramAgainstTheValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bounds := []float64{math.Inf(-1), 0, 1, 2, 4, 8, 16, math.Inf(1)}
		values := rapid.SliceOfN(rapid.Float64Range(0, 15.999), 1, 50).Draw(t, "values")
		count := func(values []float64) Histogram {
			h := Histogram{}
			for i, from := range bounds[:len(bounds)-1] {
				b := Bin{From: from, To: bounds[i+1]}
				for _, v := range values {
					if b.From <= v && v < b.To {
						b.Count++
					}
				}
				if b.Count > 0 {
					h = append(h, b)
				}
			}
			return h
		}
		h := count(values)
		if h.Total() != uint64(len(values)) {
			t.Fatalf("total %d of %v", h.Total(), values)
		}
		q := rapid.Float64Range(0, 1).Draw(t, "q")
		rank := max(int(math.Ceil(q*float64(len(values)))), 1)
		got, below := h.Quantile(q), 0
		for _, v := range values {
			if v < got {
				below++
			}
		}
		if below < rank {
			t.Fatalf("quantile %g is %g, only %d of %v are below, want %d", q, got, below, values, rank)
		}
		if none := h.Sub(h); none == nil || none.Total() != 0 || !math.IsNaN(none.Quantile(q)) {
			t.Fatalf("h - h = %+v", none)
		}
		cut := rapid.IntRange(0, len(values)).Draw(t, "cut")
		first, rest := count(values[:cut]), count(values[cut:])
		if !reflect.DeepEqual(first.Add(rest), h) {
			t.Fatalf("%v + %v = %v, want %v", first, rest, first.Add(rest), h)
		}
		if !reflect.DeepEqual(h.Sub(first), rest) {
			t.Fatalf("%v - %v = %v, want %v", h, first, h.Sub(first), rest)
		}
		if len(rest) > 0 && first.Sub(h) != nil {
			t.Fatalf("%v - %v = %v: counts went down", first, h, first.Sub(h))
		}
	})
}

// FuzzMetric: what a stranger on the socket answers is refused or makes sense.
func FuzzMetric(f *testing.F) {
	for _, seed := range []string{`{"uint64":1}`, `{"float64":"+Inf"}`, `{"histogram":[["-Inf",1,2],[1,"+Inf",3]]}`,
		`{"histogram":[[1,0,1e30]]}`, `{}`, `[]`, `{"float64":1e999}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var m Metric
		if json.Unmarshal(text, &m) != nil || m.Histogram == nil {
			return
		}
		if q := m.Histogram.Quantile(0.5); m.Histogram.Total() > 0 && math.IsNaN(q) {
			t.Errorf("%s: median %v", text, q)
		}
	})
}
