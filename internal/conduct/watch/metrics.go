package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/metricname"
	"github.com/gohone/hone/internal/text/vitals"
)

// Bounds of what a service may expose. Beyond them reading it every second would cost
// more than it tells, the service and hone alike.
const (
	maxExposition = 10 << 20 // bytes, unpacked
	maxSeries     = 50_000
)

// metrics reads the exposition of a service, in any of the formats of Prometheus.
type metrics struct {
	client *http.Client
	url    string
	scrape *scrape
}

func newMetrics(url string) *metrics {
	return &metrics{client: newClient(), url: url, scrape: newScrape()}
}

func (m *metrics) name() string { return "/metrics" }

func (m *metrics) close() { m.client.CloseIdleConnections() }

const (
	typeProtobuf    = metricname.TypeProtobuf
	typeOpenMetrics = metricname.TypeOpenMetrics
	typeText        = metricname.TypeText

	acceptMetrics = typeProtobuf + ";proto=io.prometheus.client.MetricFamily;encoding=delimited," +
		typeOpenMetrics + ";version=1.0.0;q=0.6," + typeText + ";version=0.0.4;q=0.5"
)

func (m *metrics) read(ctx context.Context) (r vitals.Reading, err error) {
	err = get(ctx, m.client, m.url, acceptMetrics, func(answer *http.Response) error {
		body, kind, err := exposition(answer)
		if err != nil {
			return err
		}
		r, err = m.scrape.take(body, kind, time.Now())
		return err
	})
	var no refusal
	if errors.As(err, &no) {
		err = refusal{fmt.Errorf("%s %w", m.url, no.error)}
	}
	return r, err
}

// exposition reads the body of an answer that is metrics.
func exposition(answer *http.Response) (body []byte, kind string, err error) {
	kind = answer.Header.Get("Content-Type")
	media := typeText
	if kind != "" {
		if media, _, err = mime.ParseMediaType(kind); err != nil {
			return nil, "", refusal{fmt.Errorf("answers with the content type %q", kind)}
		}
	}
	switch media {
	case typeProtobuf, typeOpenMetrics, typeText:
	default:
		return nil, "", refusal{fmt.Errorf("answers %s, not metrics", media)}
	}
	body, err = io.ReadAll(io.LimitReader(answer.Body, maxExposition+1))
	switch {
	case err != nil:
		return nil, "", err
	case len(body) > maxExposition:
		return nil, "", refusal{fmt.Errorf("has over %d MB of metrics: left alone", maxExposition>>20)}
	case media == typeText && strings.HasPrefix(strings.TrimSpace(string(body[:min(len(body), 64)])), "<"):
		return nil, "", refusal{errors.New("answers HTML, not metrics")}
	}
	return body, kind, nil
}
