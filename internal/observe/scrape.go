package observe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Bounds of a page of metrics: a dashboard of more could not be read.
const (
	maxPage      = 10 << 20
	maxFamilies  = 2_000
	scrapePeriod = 5 * time.Second
)

// Scrape reads once what the service at host:port shows under /metrics. Families are sorted by
// name. An error says what came instead, without the address.
func Scrape(ctx context.Context, hostPort string) ([]Family, error) {
	ctx, cancel := context.WithTimeout(ctx, scrapePeriod)
	defer cancel()
	transport := &http.Transport{DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+hostPort+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", string(expfmt.NewFormat(expfmt.TypeTextPlain)))
	response, err := transport.RoundTrip(request)
	if err != nil {
		return nil, scrapeError(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("answers %s", response.Status)
	}
	format := expfmt.ResponseFormat(response.Header)
	if format.FormatType() == expfmt.TypeUnknown {
		return nil, fmt.Errorf("answers %q, not metrics", response.Header.Get("Content-Type"))
	}
	return readFamilies(io.LimitReader(response.Body, maxPage), format)
}

// scrapeError leaves out of an error what repeats the address.
func scrapeError(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	var op *net.OpError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("no answer within %v", scrapePeriod)
	case errors.As(err, &op):
		return op.Err
	}
	return err
}

// readFamilies reads an exposition. Names that need quotes in PromQL are left out.
func readFamilies(page io.Reader, format expfmt.Format) ([]Family, error) {
	var all []Family
	decoder := expfmt.NewDecoder(page, format)
	for {
		var read dto.MetricFamily
		err := decoder.Decode(&read)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read metrics: %w", err)
		}
		if f, ok := familyOf(&read); ok && !has(all, f.Name) {
			all = append(all, f)
		}
		if len(all) > maxFamilies {
			return nil, fmt.Errorf("shows over %d metrics", maxFamilies)
		}
	}
	slices.SortFunc(all, func(a, b Family) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// familyOf is what is needed of one family; false for one that cannot be shown.
func familyOf(read *dto.MetricFamily) (f Family, ok bool) {
	f = Family{Name: read.GetName(), Help: oneLine(read.GetHelp())}
	switch read.GetType() {
	case dto.MetricType_COUNTER:
		f.Kind = KindCounter
	case dto.MetricType_HISTOGRAM, dto.MetricType_GAUGE_HISTOGRAM:
		f.Kind = KindHistogram
	case dto.MetricType_SUMMARY:
		f.Kind = KindSummary
	default:
		f.Kind = KindGauge
		if read.GetType() == dto.MetricType_UNTYPED && strings.HasSuffix(f.Name, "_total") {
			f.Kind = KindCounter
		}
	}
	for _, m := range read.GetMetric() {
		for _, l := range m.GetLabel() {
			name := l.GetName()
			if !model.LegacyValidation.IsValidLabelName(name) || len(name) > maxName {
				continue
			}
			if at, there := slices.BinarySearch(f.Labels, name); !there {
				f.Labels = slices.Insert(f.Labels, at, name)
			}
		}
	}
	return f, model.LegacyValidation.IsValidMetricName(f.Name) && len(f.Name) <= maxName
}

const (
	maxHelp = 300 // bytes of a help text that a panel shows
	maxName = 200
)

// oneLine is a help text of one line, cut off where it is long.
func oneLine(help string) string {
	text := strings.ToValidUTF8(strings.Join(strings.Fields(help), " "), "?")
	if len(text) > maxHelp {
		text = strings.ToValidUTF8(text[:maxHelp], "") + " ..."
	}
	return text
}
