package metrics

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"google.golang.org/protobuf/encoding/protodelim"
)

// Scrape is one look at a target.
type Scrape struct {
	At            time.Time // to the millisecond
	Job, Instance string
	Took          time.Duration // to the microsecond
	// Up is false for a target that did not answer with metrics; Families is empty then.
	Up bool
	// Last says that the target was let go: its series end here.
	Last bool
	// Families are metrics in Prometheus' exposition format of protobuf: each MetricFamily with its length before it.
	Families []byte
}

// Decode reads Families.
func (s Scrape) Decode() ([]*dto.MetricFamily, error) {
	var all []*dto.MetricFamily
	in := bytes.NewReader(s.Families)
	for in.Len() > 0 {
		f := &dto.MetricFamily{}
		if err := protodelim.UnmarshalFrom(in, f); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// target is what is scraped.
type target struct {
	job, instance string
	look          func(context.Context) ([]*dto.MetricFamily, error)
}

// scrape looks at a target; err says why the scrape is not up.
func (t target) scrape(timeout time.Duration) (s Scrape, count int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	began := time.Now()
	families, err := t.look(ctx)
	s = Scrape{At: began.Truncate(time.Millisecond), Job: t.job, Instance: t.instance, Took: time.Since(began)}
	if err == nil {
		count, err = admit(families)
	}
	var out bytes.Buffer
	for _, f := range families {
		if err == nil {
			_, err = protodelim.MarshalTo(&out, f)
		}
	}
	if err != nil {
		return s, 0, err
	}
	s.Up, s.Families = true, out.Bytes()
	return s, count, nil
}

// gathered is what hone knows by itself.
func gathered(g prometheus.Gatherer) func(context.Context) ([]*dto.MetricFamily, error) {
	return func(context.Context) ([]*dto.MetricFamily, error) {
		families, err := g.Gather()
		if len(families) > 0 {
			return families, nil // what cannot be read for a moment is left out
		}
		return nil, err
	}
}

// accepted are the formats that a page may have. The first can carry native histograms.
const accepted = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited," +
	"text/plain;version=0.0.4;q=0.5,application/openmetrics-text;version=1.0.0;q=0.1"

// page is what a program serves.
func page(client *http.Client, url string) func(context.Context) ([]*dto.MetricFamily, error) {
	return func(ctx context.Context) ([]*dto.MetricFamily, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return nil, err
		}
		r.Header.Set("Accept", accepted)
		r.Header.Set("User-Agent", "hone")
		answer, err := client.Do(r)
		if err != nil {
			return nil, err
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("the page answers with HTTP status %s", answer.Status)
		}
		body, err := io.ReadAll(io.LimitReader(answer.Body, maxBody+1))
		if err != nil {
			return nil, err
		}
		if len(body) > maxBody {
			return nil, fmt.Errorf("the page has more than %d MB", maxBody>>20)
		}
		return parse(body, answer.Header)
	}
}

// parse reads a page.
func parse(body []byte, header http.Header) ([]*dto.MetricFamily, error) {
	kind := header.Get("Content-Type")
	if !isMetrics(kind) && !isText(kind) {
		return nil, fmt.Errorf("the page is not metrics but %q", kind)
	}
	format := expfmt.ResponseFormat(header)
	if format.FormatType() != expfmt.TypeProtoDelim {
		format, body = expfmt.NewFormat(expfmt.TypeTextPlain), withoutExemplars(body)
	}
	d := expfmt.NewDecoder(bytes.NewReader(body), format)
	var all []*dto.MetricFamily
	for {
		f := &dto.MetricFamily{}
		switch err := d.Decode(f); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("the page is not metrics: %w", err)
		}
		all = append(all, f)
	}
}

// isText says that a page has plain text without the name of a format: what is metrics parses as such.
func isText(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && kind == "text/plain"
}

// exemplar is what OpenMetrics can have after a sample, and the older format has not.
var exemplar = regexp.MustCompile(`(?m) # \{.*$`)

func withoutExemplars(body []byte) []byte {
	if !bytes.Contains(body, []byte(" # {")) {
		return body
	}
	return exemplar.ReplaceAll(body, nil)
}

// admit counts the series of families, and refuses what is over the bounds or has no meaning.
func admit(families []*dto.MetricFamily) (series int, err error) {
	for _, f := range families {
		if name := f.GetName(); len(name) > maxName || !model.UTF8Validation.IsValidMetricName(name) {
			return 0, fmt.Errorf("%.60q cannot be the name of a metric", name)
		}
		for _, m := range f.Metric {
			if len(m.Label) > maxLabels {
				return 0, fmt.Errorf("%s has %d labels, and the most are %d", f.GetName(), len(m.Label), maxLabels)
			}
			for _, l := range m.Label {
				if len(l.GetName()) > maxName || len(l.GetValue()) > maxValue ||
					!model.UTF8Validation.IsValidLabelName(l.GetName()) {
					return 0, fmt.Errorf("%s has a label %.60q whose name or value is too long or not valid",
						f.GetName(), l.GetName())
				}
			}
			if series += seriesOf(m); series > maxSeries {
				return 0, fmt.Errorf("the page has more than %d series", maxSeries)
			}
		}
	}
	return series, nil
}

// seriesOf is how many series Prometheus makes of a metric.
func seriesOf(m *dto.Metric) int {
	switch {
	case m.Summary != nil:
		return len(m.Summary.Quantile) + 2
	case m.Histogram != nil && m.Histogram.Schema == nil:
		return len(m.Histogram.Bucket) + 3
	}
	return 1
}
