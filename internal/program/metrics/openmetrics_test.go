package metrics

import (
	"bytes"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// scrapeOf is a scrape of a page, taken so many milliseconds after 1970.
func scrapeOf(t *testing.T, at int64, job, page string) Scrape {
	t.Helper()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var all []*dto.MetricFamily
	for _, f := range families {
		all = append(all, f)
	}
	var out bytes.Buffer
	e := expfmt.NewEncoder(&out, expfmt.NewFormat(expfmt.TypeProtoDelim))
	for _, f := range all {
		if err := e.Encode(f); err != nil {
			t.Fatal(err)
		}
	}
	return Scrape{At: time.UnixMilli(at), Job: job, Instance: "a:1", Up: page != "", Families: out.Bytes()}
}

const shownPage = `# HELP wait_seconds How long.
# TYPE wait_seconds histogram
wait_seconds_bucket{le="0.5"} 1
wait_seconds_bucket{le="+Inf"} 3
wait_seconds_sum 2.5
wait_seconds_count 3
# TYPE requests_total counter
requests_total{job="mail",path="/ü"} 7
# TYPE heat gauge
heat NaN
# TYPE hits counter
hits 4
`

func TestWriteOpenMetrics(t *testing.T) {
	a := written(t, Header{Run: "r1", Variant: "A"},
		[]Scrape{scrapeOf(t, 1000, "subject", shownPage), scrapeOf(t, 2000, "subject", "")}, 2)
	b := written(t, Header{Run: "r2", Variant: "B"},
		[]Scrape{scrapeOf(t, 1500, "subject", "heat 2\n"), scrapeOf(t, 1500, "subject", "heat 2\n"),
			scrapeOf(t, 2500, "subject", "# TYPE heat gauge\nheat 3\n")}, 1)
	var files []*File
	for _, raw := range [][]byte{a, append(b, "the end of a run that was killed"...)} {
		f, err := Read(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	var out strings.Builder
	if err := WriteOpenMetrics(&out, files...); err != nil {
		t.Fatal(err)
	}
	const first, second = `run="r1",variant="A",job="subject",instance="a:1"`,
		`run="r2",variant="B",job="subject",instance="a:1"`
	want := `# TYPE heat unknown
heat{` + first + `} NaN 1.0
heat{` + second + `} 2.0 1.5
heat{` + second + `} 3.0 2.5
# TYPE hits unknown
hits{` + first + `} 4.0 1.0
# TYPE requests counter
requests_total{exported_job="mail",path="/ü",` + first + `} 7.0 1.0
# TYPE up gauge
up{` + first + `} 1.0 1.0
up{` + first + `} 0.0 2.0
up{` + second + `} 1.0 1.5
up{` + second + `} 1.0 2.5
# HELP wait_seconds How long.
# TYPE wait_seconds histogram
wait_seconds_bucket{` + first + `,le="0.5"} 1 1.0
wait_seconds_bucket{` + first + `,le="+Inf"} 3 1.0
wait_seconds_sum{` + first + `} 2.5 1.0
wait_seconds_count{` + first + `} 3 1.0
# EOF
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
