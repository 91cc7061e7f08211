package limit_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/text/fail"
	"pgregory.net/rapid"
)

func p(n float64) limit.Metric {
	return limit.Metric{Kind: limit.Percentile, Percentile: n}
}

func TestThresholdsAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]struct {
		metric limit.Metric
		op     limit.Op
		value  float64
	}{
		"p99>300ms":          {p(99), ">", 300e6},
		"p99 > 300 ms":       {p(99), ">", 300e6},
		"  p99.9<=2us ":      {p(99.9), "<=", 2e3},
		"P50>=1.5s":          {p(50), ">=", 1.5e9},
		"p0.1<7ns":           {p(0.1), "<", 7},
		"p100<1\u00b5s":      {p(100), "<", 1e3},
		"p99.99<10ms":        {p(99.99), "<", 10e6},
		"mean<1ms":           {limit.Metric{Kind: limit.Mean}, "<", 1e6},
		"stddev<1ms":         {limit.Metric{Kind: limit.StdDev}, "<", 1e6},
		"service.p99.9>3ms":  {limit.Metric{Kind: limit.Percentile, Prefix: limit.Service, Percentile: 99.9}, ">", 3e6},
		"response.max>1s":    {limit.Metric{Kind: limit.Max, Prefix: limit.Response}, ">", 1e9},
		"lag.min > 1us":      {limit.Metric{Kind: limit.Min, Prefix: limit.Lag}, ">", 1e3},
		"errors>0.1%":        {limit.Metric{Kind: limit.Errors}, ">", 0.1 / 100},
		"errors > 0.001":     {limit.Metric{Kind: limit.Errors}, ">", 0.001},
		"unanswered>=100 %":  {limit.Metric{Kind: limit.Unanswered}, ">=", 1},
		"errors>0":           {limit.Metric{Kind: limit.Errors}, ">", 0},
		"rate<1k":            {limit.Metric{Kind: limit.Rate}, "<", 1000},
		"rate<50/100ms":      {limit.Metric{Kind: limit.Rate}, "<", 500},
		"requests<2.5M":      {limit.Metric{Kind: limit.Requests}, "<", 2.5e6},
		"requests < 1000000": {limit.Metric{Kind: limit.Requests}, "<", 1e6},
	} {
		got, err := limit.ParseThreshold(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got.Metric != want.metric || got.Op != want.op || got.Value != want.value ||
			got.String() != strings.TrimSpace(text) {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
}

func TestAFaultHasAColumnACauseAndANextStep(t *testing.T) {
	for text, want := range map[string]struct{ message, hint string }{
		"":                  {"the threshold is empty", "metrics are min"},
		"p99":               {"column 4: no operator", "< <= > >="},
		">3ms":              {"column 1: no metric", "metrics are min"},
		"p99==3ms":          {`column 4: unknown operator "=="`, "< <= > >="},
		"p99=>3ms":          {`unknown operator "=>"`, "< <= > >="},
		"p99>":              {"column 5: no value", "p99>300ms"},
		"p99>300":           {"column 5: 300 has no unit", "300ms"},
		"p99 > 3m":          {`column 7: unknown unit "m"`, "ns, us, ms and s"},
		"p99>5%":            {"column 5: p99 is a latency", "errors"},
		"p99>fast":          {`"fast" is not a duration`, "300ms"},
		"p99>-3ms":          {`"-3ms" is not a duration`, "300ms"},
		"p99>1e3ms":         {`unknown unit "e3ms"`, "ms"},
		"p999>3ms":          {`column 1: "p999" is not a percentile`, "did you mean p99.9?"},
		"p101>3ms":          {`"p101" is not a percentile`, "p99.9"},
		"p0>3ms":            {"above 0 and at most 100", "p50"},
		"p9.9.9>3ms":        {"is not a percentile", "p50"},
		"erors>1%":          {`column 1: unknown metric "erors"`, `did you mean "errors"?`},
		"rps>1000":          {`unknown metric "rps"`, `did you mean "rate"?`},
		"median<1ms":        {`unknown metric "median"`, `did you mean "p50"?`},
		"colour<1ms":        {`unknown metric "colour"`, "known are min"},
		"servce.p99<1ms":    {`unknown metric "servce.p99"`, `did you mean "service.p99"?`},
		"client.p99<1ms":    {`unknown metric "client.p99"`, "known are min"},
		"service.errors<1%": {"errors is not a latency", "write errors alone"},
		"service.<1ms":      {`unknown metric "service."`, "known are"},
		"errors>5":          {"column 8: 5 is above 1", "5%"},
		"errors>101%":       {"101% is above 100 %", "0.1%"},
		"errors>3ms":        {`"3ms" is not a share`, "0.1%"},
		"rate<5q":           {`unknown suffix "q"`, "50/1s"},
		"rate<1,000":        {"a number has no commas", "answers per second"},
		"requests>5s":       {`"5s" is not a number`, "requests>1000"},
		"\u00e9\u00e9 p99>": {"column 1: unknown metric", "known are"}, // columns are characters
		"p99 \u2265 3ms":    {"no operator", "< <= > >="},
		"mean<\u00e9":       {"column 6", "mean takes"},
	} {
		got, err := limit.ParseThreshold(text)
		var known *fail.Error
		if !errors.As(err, &known) || known.Kind != fail.BadInput {
			t.Errorf("%q: got %+v, %v", text, got, err)
			continue
		}
		if !strings.Contains(err.Error(), want.message) {
			t.Errorf("%q: error %q, want %q in it", text, err, want.message)
		}
		if !strings.Contains(known.Hint, want.hint) {
			t.Errorf("%q: hint %q, want %q in it", text, known.Hint, want.hint)
		}
	}
}

func TestConditionsHold(t *testing.T) {
	for text, holds := range map[string][3]bool{ // below, at and above 5 ms
		"p99<5ms": {true, false, false}, "p99<=5ms": {true, true, false},
		"p99>5ms": {false, false, true}, "p99>=5ms": {false, true, true},
	} {
		c, err := limit.ParseThreshold(text)
		if err != nil {
			t.Fatal(err)
		}
		got := [3]bool{c.Holds(4.999e6), c.Holds(5e6), c.Holds(5.001e6)}
		if got != holds {
			t.Errorf("%s: %v, want %v", text, got, holds)
		}
		if c.Holds(math.NaN()) {
			t.Errorf("%s holds for NaN", text)
		}
	}
	if (limit.Threshold{}).Holds(0) {
		t.Error("the zero threshold holds")
	}
}

func TestAMetricThatWasNotMeasuredIsNoPass(t *testing.T) {
	c, err := limit.ParseThreshold("response.p99>1ms")
	if err != nil {
		t.Fatal(err)
	}
	value, holds, err := c.Measured(func(m limit.Metric) (float64, bool) { return 2e6, m == c.Metric })
	if value != 2e6 || !holds || err != nil {
		t.Errorf("got %v, %v, %v", value, holds, err)
	}
	_, holds, err = c.Measured(func(limit.Metric) (float64, bool) { return 0, false })
	if holds || fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(fail.HintOf(err), "write p99 for") {
		t.Errorf("got %v, %v (%s)", holds, err, fail.HintOf(err))
	}
}

func TestValuesReadAsTheirKind(t *testing.T) {
	for want, got := range map[string]string{
		"412 ms":  p(99).Format(412e6),
		"0.130 %": limit.Metric{Kind: limit.Errors}.Format(0.0013),
		"1,000/s": limit.Metric{Kind: limit.Rate}.Format(1000),
		"12,345":  limit.Metric{Kind: limit.Requests}.Format(12345),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A threshold made by hand, as text and in JSON, comes back the same.
func TestThresholdsSurviveBeingWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := limit.Metric{Kind: rapid.SampledFrom([]limit.Kind{
			limit.Min, limit.Mean, limit.Max, limit.StdDev, limit.Percentile,
			limit.Errors, limit.Unanswered, limit.Rate, limit.Requests,
		}).Draw(t, "kind")}
		if m.Kind == limit.Percentile {
			m.Percentile = float64(rapid.IntRange(1, 100_000).Draw(t, "percentile")) / 1000
		}
		if m.Latency() {
			m.Prefix = rapid.SampledFrom([]limit.Clock{
				limit.Headline, limit.Service, limit.Response, limit.Lag,
			}).Draw(t, "prefix")
		}
		highest := 1e12
		if m.Share() {
			highest = 1
		}
		c := limit.Threshold{
			Metric: m, Value: rapid.Float64Range(0, highest).Draw(t, "value"),
			Op: rapid.SampledFrom([]limit.Op{"<", "<=", ">", ">="}).Draw(t, "op"),
		}
		text, err := json.Marshal(map[string]any{"fail_if": c})
		if err != nil {
			t.Fatal(err)
		}
		var back struct {
			FailIf limit.Threshold `json:"fail_if"`
		}
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		c.Text = c.String()
		if back.FailIf != c {
			t.Fatalf("%s: got %+v, want %+v", text, back.FailIf, c)
		}
	})
}

func TestJSONThatIsNoThresholdIsRefused(t *testing.T) {
	var c limit.Threshold
	if err := json.Unmarshal([]byte(`"p99>fast"`), &c); err == nil || c != (limit.Threshold{}) {
		t.Errorf("got %+v, %v", c, err)
	}
	for _, made := range []limit.Threshold{{}, {Metric: limit.Metric{Kind: "bytes"}, Op: "<"}, {Text: "x"}} {
		if text, err := json.Marshal(made); err == nil {
			t.Errorf("%+v was written as %s", made, text)
		}
	}
}

// Whatever is parsed can be written and parsed again; whatever is not says why.
func FuzzParseThreshold(f *testing.F) {
	for _, s := range []string{
		"p99>300ms", "service.p99.9 <= 2 us", "errors>0.1%", "rate<50/1s", "requests>=1k", "", "p", "p.", "<",
		"p99>>3ms",
		".p50<1s", "lag.lag.p50<1s", "p1e2<1s", "errors>NaN", "max<0x1p9s", "p99<99999999999999999999s", "\xff<\xff",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := limit.ParseThreshold(text)
		if err != nil {
			if fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" {
				t.Fatalf("%q: %v has no hint", text, err)
			}
			return
		}
		if !(got.Value >= 0) || math.IsInf(got.Value, 0) {
			t.Fatalf("%q: value %v", text, got.Value)
		}
		again, err := limit.ParseThreshold(got.String())
		if err != nil || again != got {
			t.Fatalf("%q: %+v, then %+v, %v", text, got, again, err)
		}
		got.Text = ""
		canonical, err := limit.ParseThreshold(got.String())
		if canonical.Text = ""; err != nil || canonical != got {
			t.Fatalf("%q: %+v, then %+v, %v", text, got, canonical, err)
		}
	})
}
