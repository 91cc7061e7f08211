package promapi

import (
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/promql/parser"
)

func TestParseTime(t *testing.T) {
	for _, row := range []struct {
		text string
		want time.Time
	}{
		{"0", time.Unix(0, 0)},
		{"1767326707.0004", time.Unix(1767326707, 0)},
		{"1767326707.0006", time.UnixMilli(1767326707001)},
		{"-1.5", time.UnixMilli(-1500)},
		{"1e3", time.Unix(1000, 0)},
		{"2026-01-02T04:05:06.789+02:00", time.Date(2026, 1, 2, 2, 5, 6, 789e6, time.UTC)},
		{"-292273086-05-16T16:47:06Z", earliest},
		{"292277025-08-18T07:12:54.999999999Z", latest},
	} {
		got, err := ParseTime(row.text)
		if err != nil || !got.Equal(row.want) {
			t.Errorf("%q: %s, %v; want %s", row.text, got, err, row.want)
		}
	}
	for _, text := range []string{"", "x", "NaN", "Inf", "-Inf", "1e300", "-1e300", "9223372036854775807", "2026-01-02",
		"1s", " 1"} {
		if got, err := ParseTime(text); err == nil || !strings.Contains(err.Error(), strconv.Quote(text)) {
			t.Errorf("%q: %s, %v", text, got, err)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0": 0, "1": time.Second, "0.25": 250 * time.Millisecond, "-2": -2 * time.Second, "1m30s": 90 * time.Second,
		"1d": 24 * time.Hour, "5ms": 5 * time.Millisecond,
	} {
		if got, err := parseDuration(text); err != nil || got != want {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "x", "1s1m", "NaN", "Inf", "-Inf", "9223372037", "-9223372037", "1e300", "1µs",
		"300y"} {
		if got, err := parseDuration(text); err == nil {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// Points are counted where the difference of times would stop counting.
func TestPoints(t *testing.T) {
	for _, row := range []struct {
		start, end time.Time
		step       time.Duration
		want       uint64
	}{
		{time.Unix(0, 0), time.Unix(11000, 0), time.Second, 11000},
		{time.Unix(0, 0), time.Unix(0, 0), time.Hour, 0},
		{earliest, latest, math.MaxInt64, 1999986}, // 585 million years in steps of 292
	} {
		if got := points(row.start, row.end, row.step.Truncate(time.Millisecond)); got != row.want {
			t.Errorf("%s to %s by %s: %d, want %d", row.start, row.end, row.step, got, row.want)
		}
	}
}

func FuzzTimesAndDurations(f *testing.F) {
	for _, text := range []string{"", "0", "-1.5", "1767326707.007", "NaN", "1e300", "1e-300", "0x10", "1_0", "1m30s",
		"5ms",
		"2026-01-02T04:05:06.789+02:00", earliest.Format(time.RFC3339Nano), latest.Format(time.RFC3339Nano)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		number, notNumber := strconv.ParseFloat(text, 64)
		at, err := ParseTime(text)
		switch {
		case err != nil:
		case at.Before(earliest) || at.After(latest):
			t.Errorf("%q is the time %s", text, at)
		case notNumber == nil && math.Abs(float64(at.UnixMilli())/1000-number) > 0.0006+math.Abs(number)*1e-15:
			t.Errorf("%q is the time %s, %d ms", text, at, at.UnixMilli())
		}
		d, err := parseDuration(text)
		switch own, fault := model.ParseDuration(text); {
		case err == nil && notNumber == nil:
			if math.Abs(d.Seconds()-number) > 1e-9+math.Abs(number)*1e-15 {
				t.Errorf("%q is the duration %s", text, d)
			}
		case (err == nil) != (fault == nil) && notNumber != nil, err == nil && d != time.Duration(own):
			t.Errorf("%q is the duration %s, %v; Prometheus reads %s, %v", text, d, err, own, fault)
		}
	})
}

func FuzzSelectors(f *testing.F) {
	for _, text := range []string{"up", `{job="a"}`, `{job=~".*"}`, `{job!~"", x="\""}`, "{}", "up{", `{"a.b"="c"}`,
		`up{job=~"("}`} {
		f.Add(text)
	}
	parse := parser.NewParser(parser.Options{})
	f.Fuzz(func(t *testing.T, text string) {
		p := params{form: url.Values{"match[]": {"up", text}}}
		sets, err := p.selectors(parse)
		if err != nil {
			return
		}
		if len(sets) != 2 || !narrows(sets[1]) {
			t.Errorf("%q: %v", text, sets)
		}
	})
}

// Whatever the form of a request, there is an answer in JSON and none of a broken hone.
func FuzzForms(f *testing.F) {
	for _, r := range requests {
		if len(r.form.Get("query")) < maxExpression {
			f.Add(r.path, r.form.Encode())
		}
	}
	f.Add(queryRange, "query=1&start=0&end=1e15&step=1e12")
	f.Add("/api/v1/metadata", "limit=-1&limit_per_metric=1")
	f.Add("/api/v1/series", "match[]=up&limit=9223372036854775807")
	c := over(f, nothing())
	c.Timeout = time.Second
	h := New(c)
	f.Fuzz(func(t *testing.T, path, form string) {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(form))
		r.Method, r.URL.Path, r.Host = http.MethodPost, path, "localhost"
		if strings.HasSuffix(path, "values") || path == "/api/v1/metadata" {
			r.Method, r.URL.RawQuery = http.MethodGet, form
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		switch w.Code {
		case 200, 400, 404, 405, 413, 422, 503:
			if strings.HasPrefix(path, "/api/v1/") && !json.Valid(w.Body.Bytes()) {
				t.Errorf("%s %q: %d %s", path, form, w.Code, w.Body)
			}
		case 204, 301, 307, 308:
		default:
			t.Errorf("%s %q: %d %s", path, form, w.Code, w.Body)
		}
	})
}
