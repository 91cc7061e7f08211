package metricname_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/textparse"

	"github.com/gohone/hone/internal/program/metricname"
)

// openPage has all that OpenMetrics 1.0 has beyond the text format.
const openPage = `# TYPE jobs counter
# HELP jobs Jobs done.
jobs_total{queue="a\\b\"c\nd"} 1027.0 1395066363.500 # {trace_id="t1"} 0.67 1520879607.789
jobs_created{queue="x"} 1.6e9
# TYPE build info
build_info{version="1"} 1
# TYPE mode stateset
mode{mode="on"} 1
mode{mode="off"} 0
# TYPE wait_seconds histogram
# UNIT wait_seconds seconds
wait_seconds_bucket{le="0.1"} 8 # {} 0.05
wait_seconds_bucket{le="+Inf"} 11
wait_seconds_count 11
wait_seconds_sum 3.5
wait_seconds_created 1520430000.123
# TYPE depth gaugehistogram
depth_bucket{le="+Inf"} 3
depth_gcount 3
depth_gsum -5
# EOF
`

func series(t *testing.T, page []byte, kind string) (n int, err error) {
	t.Helper()
	p, err := metricname.Parser(page, kind)
	for err == nil {
		var entry textparse.Entry
		if entry, err = p.Next(); err == nil && entry == textparse.EntrySeries {
			n++
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// A page of OpenMetrics is read whole. A line that is not of it is left out with its number, and what follows is read.
func TestPagesAreMended(t *testing.T) {
	const open = metricname.TypeOpenMetrics + "; version=1.0.0; charset=utf-8"
	if n, err := series(t, []byte(openPage), open); n != 13 || err != nil {
		t.Fatalf("read %d series, %v", n, err)
	}
	text := "# TYPE a counter\na 1\na{ 2\n\nb{x=\"y\"} 3 17\nprose here\nc 1 # {trace_id=\"q\"} 1\n"
	for _, c := range []struct {
		name, page, kind string
		want             int
		left             string // of the error; empty: nothing is left out
	}{
		{"OpenMetrics", openPage, open, 13, ""},
		{"OpenMetrics that calls itself text", openPage, "text/plain; version=0.0.4", 13, ""},
		{"OpenMetrics without a type", openPage, "", 13, ""},
		{"a broken line", strings.Replace(openPage, `queue="x"`, `queue="x\\"y"`, 1), open, 12,
			"1 line of the page left out, for which Prometheus refuses all of it: line 4: "},
		{"an empty line", strings.Replace(openPage, "# TYPE build", "\n# TYPE build", 1), open, 13, ""},
		{"lines of Windows", strings.ReplaceAll(openPage, "\n", "\r\n"), open, 13, ""},
		{"no end", strings.TrimSuffix(openPage, "# EOF\n"), open, 13, "does not end with # EOF"},
		{"cut off", openPage[:strings.Index(openPage, "sum 3.5")+3], open, 8,
			"1 line of the page left out, for which Prometheus refuses"},
		{"more after the end", openPage + "more 1\n", open, 13, ""},
		{"text", text, metricname.TypeText, 2,
			"3 lines of the page left out, for which Prometheus refuses all of it: line 3: "},
	} {
		mended, kind, left, ok := metricname.Mend([]byte(c.page), c.kind)
		n, err := series(t, mended, kind)
		if !ok || n != c.want || err != nil {
			t.Errorf("%s: %v, %d series, %v, want %d", c.name, ok, n, err, c.want)
		}
		if c.left == "" && left != nil || c.left != "" && (left == nil || !strings.Contains(left.Error(), c.left)) {
			t.Errorf("%s: left %v, want %q", c.name, left, c.left)
		}
	}
	for page, kind := range map[string]string{"prose\n": "text/plain", "# EOF\n": open,
		"a 1\n": metricname.TypeProtobuf, "<html>": "text/html", "": ""} {
		if _, _, _, ok := metricname.Mend([]byte(page), kind); ok {
			t.Errorf("%q of the type %s holds no metric, and was read", page, kind)
		}
	}
}

func FuzzMend(f *testing.F) {
	f.Add([]byte(openPage), "")
	f.Add([]byte("a{ 1\nb 2\n"), "text/plain")
	f.Fuzz(func(t *testing.T, page []byte, kind string) {
		mended, its, _, ok := metricname.Mend(page, kind)
		if n, err := series(t, mended, its); ok && (n == 0 || err != nil) {
			t.Errorf("%q became %q with %d series, %v", page, mended, n, err)
		}
	})
}
