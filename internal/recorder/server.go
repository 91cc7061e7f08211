package recorder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/prometheus/storage"

	"github.com/gohone/hone/internal/fail"
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

// Listen opens an address for such a server: the host that was named, and the token that requests of other machines need, empty
// if none can reach it. If others can, it warns.
func Listen(address string, warnings io.Writer) (l net.Listener, host string, token sameorigin.Token, err error) {
	if l, err = net.Listen("tcp", address); err != nil {
		return nil, "", "", fail.New(fail.Environment, "serve metrics: %w", err).WithHint("--listen takes another host:port")
	}
	if host, _, err = net.SplitHostPort(address); err != nil {
		return nil, "", "", errors.Join(err, l.Close())
	}
	token = sameorigin.TokenFor(l.Addr())
	if token != "" {
		_, err = fmt.Fprintf(warnings, "warning: %s can be reached from other machines: with the token they see these series; nothing is encrypted\n", l.Addr())
	}
	return l, host, token, err
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
