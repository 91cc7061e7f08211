package observe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"

	"github.com/gohone/hone/internal/program/metricname"
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
	// as Prometheus asks
	request.Header.Set("Accept", metricname.TypeOpenMetrics+";version=1.0.0;q=0.5,"+metricname.TypeText+
		";version=0.0.4;q=0.4")
	response, err := transport.RoundTrip(request)
	if err != nil {
		return nil, scrapeError(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("answers %s", response.Status)
	}
	kind := response.Header.Get("Content-Type")
	switch media, _, err := mime.ParseMediaType(kind); {
	case kind == "":
	case err != nil, media != metricname.TypeText && media != metricname.TypeOpenMetrics &&
		media != metricname.TypeProtobuf:
		return nil, fmt.Errorf("answers %q, not metrics", kind)
	}
	page, err := io.ReadAll(io.LimitReader(response.Body, maxPage+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read metrics: %w", scrapeError(err))
	case len(page) > maxPage:
		return nil, fmt.Errorf("shows over %d MB of metrics", maxPage>>20)
	}
	return readFamilies(page, kind)
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

// readFamilies reads an exposition. Names that need quotes in PromQL are left out. An error of the type
// *metricname.Left stands with families.
func readFamilies(page []byte, kind string) ([]Family, error) {
	all, err := families(page, kind)
	if err == nil || errors.Is(err, errMany) {
		return all, err
	}
	mended, kind, left, ok := metricname.Mend(page, kind)
	if !ok {
		return nil, err
	}
	if all, err = families(mended, kind); err == nil && left != nil {
		err = left
	}
	return all, err
}

var errMany = fmt.Errorf("shows over %d metrics", maxFamilies)

// families reads an exposition that is right.
func families(page []byte, kind string) ([]Family, error) {
	p, err := metricname.Parser(page, kind)
	if err != nil {
		return nil, err
	}
	r := familyReader{found: map[string]*Family{}, units: map[string]string{}}
	for {
		entry, err := p.Next()
		switch {
		case errors.Is(err, io.EOF):
			return r.sorted(), nil
		case err != nil:
			return nil, fmt.Errorf("read metrics: %w", err)
		case len(r.found) > maxFamilies:
			return nil, errMany
		}
		switch entry {
		case textparse.EntryHelp:
			name, help := p.Help()
			r.describe(string(name), oneLine(string(help)))
		case textparse.EntryType:
			name, kind := p.Type()
			r.declare(string(name), kind)
		case textparse.EntryUnit:
			name, unit := p.Unit()
			r.units[string(name)] = string(unit)
		case textparse.EntrySeries, textparse.EntryHistogram:
			var l labels.Labels
			p.Labels(&l)
			r.series(l)
		}
	}
}

// familyReader collects families from the lines of an exposition.
type familyReader struct {
	name  string // of the family that was declared last
	kind  model.MetricType
	help  string
	of    string // whose help that is
	found map[string]*Family
	units map[string]string // by family, as the page declares them
}

func (r *familyReader) describe(name, help string) {
	r.of, r.help = name, help
	if name == r.name { // HELP after TYPE
		return
	}
	r.name, r.kind = name, model.MetricTypeUnknown
}

func (r *familyReader) declare(name string, kind model.MetricType) { r.name, r.kind = name, kind }

// series adds one series to its family: OpenMetrics names a family without what stands after its series' names.
func (r *familyReader) series(l labels.Labels) {
	name, kind, inner := l.Get(model.MetricNameLabel), KindGauge, ""
	suffix, own := strings.CutPrefix(name, r.name)
	own = own && r.name != "" && slices.Contains(seriesSuffixes, suffix)
	switch {
	case own && suffix == "_created":
		return // a moment, which Prometheus takes for none of the family's values
	case own && r.kind == model.MetricTypeCounter:
		kind = KindCounter
	case own && r.kind == model.MetricTypeHistogram:
		name, kind, inner = r.name, KindHistogram, model.BucketLabel
	case own && r.kind == model.MetricTypeGaugeHistogram && suffix == "_bucket":
		return // its quantiles are of a moment, and no panel shows those
	case own && r.kind == model.MetricTypeSummary:
		name, kind, inner = r.name, KindSummary, model.QuantileLabel
	case (!own || r.kind == model.MetricTypeUnknown) && strings.HasSuffix(name, "_total"):
		kind = KindCounter
	}
	if !model.LegacyValidation.IsValidMetricName(name) || len(name) > maxName {
		return
	}
	f := r.found[name]
	if f == nil {
		f = &Family{Name: name, Kind: kind}
		if own && r.of == r.name {
			f.Help = r.help
		}
		if own {
			f.Unit = r.units[r.name]
		}
		r.found[name] = f
	}
	l.Range(func(label labels.Label) {
		if label.Name == model.MetricNameLabel || label.Name == inner ||
			!model.LegacyValidation.IsValidLabelName(label.Name) || len(label.Name) > maxName {
			return
		}
		if at, there := slices.BinarySearch(f.Labels, label.Name); !there {
			f.Labels = slices.Insert(f.Labels, at, label.Name)
		}
	})
}

// seriesSuffixes are what the names of series may have after that of their family.
var seriesSuffixes = []string{"", "_total", "_bucket", "_count", "_sum", "_created", "_info", "_gcount", "_gsum"}

func (r *familyReader) sorted() (all []Family) {
	for _, name := range slices.Sorted(maps.Keys(r.found)) {
		all = append(all, *r.found[name])
	}
	return all
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
