package promapi

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"pgregory.net/rapid"
)

func TestTimes(t *testing.T) {
	for ms, want := range map[int64]string{
		0: "0", 1: "0.001", 12: "0.012", 120: "0.120", 999: "0.999", 1000: "1", 1767326400001: "1767326400.001",
		-1: "-0.001", -1500: "-1.500", math.MinInt64: "-9223372036854775.808",
	} {
		if got := string(appendTime(nil, ms)); got != want {
			t.Errorf("%d ms: %s, want %s", ms, got, want)
		}
	}
}

func TestFloats(t *testing.T) {
	for _, row := range []struct {
		f    float64
		want string
	}{
		{0, `"0"`}, {math.Copysign(0, -1), `"-0"`}, {1.5, `"1.5"`}, {math.NaN(), `"NaN"`}, {math.Inf(1), `"+Inf"`},
		{math.Inf(-1), `"-Inf"`},
		{1e-6, `"0.000001"`}, {9e-7, `"9e-07"`}, {1e20, `"100000000000000000000"`}, {1e21, `"1e+21"`},
		{-1e21, `"-1e+21"`},
	} {
		if got := string(appendFloat(nil, row.f)); got != row.want {
			t.Errorf("%v: %s, want %s", row.f, got, row.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		f := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		text, err := strconv.Unquote(string(appendFloat(nil, f)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := strconv.ParseFloat(text, 64)
		if err != nil || got != f && !(math.IsNaN(got) && math.IsNaN(f)) {
			t.Fatalf("%v became %s and then %v, %v", f, text, got, err)
		}
	})
}

// Which bounds belong to a bucket: custom ones have none below, exponential ones are open
// towards zero, and the one around zero has both.
func TestHistogramRules(t *testing.T) {
	exponential := &histogram.FloatHistogram{
		Schema: 0, ZeroThreshold: 0.5, ZeroCount: 3, Count: 6, Sum: -1,
		PositiveSpans: []histogram.Span{{Offset: 0, Length: 3}}, PositiveBuckets: []float64{1, 0, 0.5},
		NegativeSpans: []histogram.Span{{Offset: 1, Length: 1}}, NegativeBuckets: []float64{1.5},
	}
	custom := &histogram.FloatHistogram{
		Schema: histogram.CustomBucketsSchema, Count: 4, Sum: 9, CustomValues: []float64{1, 2},
		PositiveSpans: []histogram.Span{{Offset: 0, Length: 3}}, PositiveBuckets: []float64{1, 0, 3},
	}
	for _, row := range []struct {
		h    *histogram.FloatHistogram
		want string
	}{
		{exponential,
			`{"count":"6","sum":"-1","buckets":[[1,"-2","-1","1.5"],[3,"-0.5","0.5","3"],[0,"0.5","1","1"],[0,"2","4","0.5"]]}`},
		{custom, `{"count":"4","sum":"9","buckets":[[3,"-Inf","1","1"],[0,"2","+Inf","3"]]}`},
		{&histogram.FloatHistogram{}, `{"count":"0","sum":"0"}`},
	} {
		if got := string(appendHistogram(nil, row.h)); got != row.want {
			t.Errorf("%s\n got %s\nwant %s", row.h, got, row.want)
		}
	}
}

// Whatever is in a label comes out of the JSON again, but for what is not UTF-8.
func TestLabelsSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.MapOf(rapid.StringN(1, 8, -1), rapid.StringN(1, 20, -1)).Draw(t, "labels")
		for name, text := range want {
			if !utf8.ValidString(name + text) {
				delete(want, name)
			}
		}
		var got map[string]string
		if err := json.Unmarshal(appendLabels(nil, labels.FromMap(want)), &got); err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%q became %q", want, got)
		}
		for name, text := range want {
			if got[name] != text {
				t.Fatalf("%q became %q", want, got)
			}
		}
	})
	if got := string(appendString(nil, "a\xff")); got != `"a\ufffd"` {
		t.Errorf("what is not UTF-8: %s", got)
	}
}
