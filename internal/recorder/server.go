package recorder

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/prometheus/storage"

	"github.com/gohone/hone/internal/metrics"
	"github.com/gohone/hone/internal/promapi"
	"github.com/gohone/hone/internal/sameorigin"
)

// OpenSeries opens series for one request; done ends the request.
type OpenSeries func(context.Context) (q storage.Queryable, done func() error, err error)

// NewServer is the server of Prometheus' API over what open opens.
func NewServer(
	hosts []string, token sameorigin.Token, bounds metrics.Bounds, page prometheus.Gatherer, open OpenSeries, known func() map[string]metrics.Metadata, version string,
) *http.Server {
	return &http.Server{
		Handler: token.Required(promapi.New(promapi.Config{
			Open: open, Engine: metrics.NewEngine(bounds), Parser: metrics.Parser(), Timeout: 2 * bounds.Timeout, Version: version, Hosts: hosts,
			Metadata: func(metric string) []promapi.Metadata { return metadataOf(known(), metric) },
			Metrics:  promhttp.HandlerFor(page, promhttp.HandlerOpts{EnableOpenMetrics: true, ErrorHandling: promhttp.ContinueOnError}),
		})),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second, // a query is small
		IdleTimeout:       2 * time.Minute,
	}
}

// metadataOf is what is known of one metric, or of all for "", by name.
func metadataOf(known map[string]metrics.Metadata, metric string) []promapi.Metadata {
	var all []promapi.Metadata
	for name, m := range known {
		if metric == "" || metric == name {
			all = append(all, promapi.Metadata{Metric: name, Type: m.Type, Unit: m.Unit, Help: m.Help})
		}
	}
	slices.SortFunc(all, func(a, b promapi.Metadata) int { return cmp.Compare(a.Metric, b.Metric) })
	return all
}
