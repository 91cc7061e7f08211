package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/prometheus/storage"
	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/metrics"
	"github.com/gohone/hone/internal/pageserver"
	"github.com/gohone/hone/internal/promapi"
	"github.com/gohone/hone/internal/report"
	"github.com/gohone/hone/internal/sameorigin"
)

// defaultListen is where hone serves metrics unless told otherwise.
const defaultListen = "127.0.0.1:9464"

func (a *app) metricsServeCommand() *cobra.Command {
	f, listen, hosts := &metricsFlags{}, "", []string{}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the time series of all runs as Prometheus does",
		Long: `serve answers Prometheus' HTTP API (query, query_range, labels, series, metadata) over
the time series of all runs, running ones included, so that Grafana can use hone as a
Prometheus data source. The label run tells runs apart. /metrics is hone's own page.

It listens on this machine only, unless --listen gives another address. Then requests from other
machines need the token that serve prints when it starts: a browser in the address, Grafana
and other programs in the header Authorization: Bearer TOKEN.`,
		Example: `  hone metrics serve
  hone metrics serve --listen 127.0.0.1:9465`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.metricsServe(cmd.Context(), f, listen, hosts) },
	}
	cmd.Flags().StringVar(&listen, "listen", defaultListen, "`host:port` to listen on")
	cmd.Flags().StringArrayVar(&hosts, "host", nil, "further `NAME` of this server besides localhost, such as host.docker.internal (repeatable)")
	cmd.Flags().StringVar(&f.ledger, "ledger", ".hone", "directory of the ledger")
	return cmd
}

func (a *app) metricsServe(ctx context.Context, f *metricsFlags, listen string, hosts []string) error {
	store, err := f.store()
	if err != nil {
		return err
	}
	library := store.Library()
	defer library.Close()
	own := prometheus.NewRegistry()
	own.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "hone_info", Help: "The hone that serves.", ConstLabels: prometheus.Labels{"version": version()},
	}, func() float64 { return 1 }))
	s, err := a.serveMetrics(listen, hosts, metrics.Usual, own, library.Open, library.Metadata)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := report.MetricsServed(a.stdout, s.Addr, string(s.token)); err != nil {
		return err
	}
	<-ctx.Done()
	return &shownError{fail.New(fail.Interrupted, "interrupted")} // how it ends; nothing needs to be said
}

// metricsServer is a server of metrics, and what other machines have to show.
type metricsServer struct {
	*http.Server
	token sameorigin.Token
}

// serveMetrics listens, and serves the API over what open opens and the page of a gatherer.
func (a *app) serveMetrics(
	listen string, hosts []string, bounds metrics.Bounds, page prometheus.Gatherer, open openSeries, known func() map[string]metrics.Metadata,
) (*metricsServer, error) {
	l, host, token, err := a.listenForMetrics(listen)
	if err != nil {
		return nil, err
	}
	s := newMetricsServer(append(hosts, host), token, bounds, page, open, known)
	s.Addr = dialable(l.Addr(), host)
	go s.Serve(pageserver.Limited(s, l)) // ends with Close
	return &metricsServer{s, token}, nil
}

// listenForMetrics opens an address. The token is what other machines have to show if they
// reach it.
func (a *app) listenForMetrics(listen string) (l net.Listener, host string, token sameorigin.Token, err error) {
	if l, err = net.Listen("tcp", listen); err != nil {
		return nil, "", "", fail.New(fail.Environment, "serve metrics: %w", err).WithHint("--listen takes another host:port")
	}
	if host, _, err = net.SplitHostPort(listen); err != nil {
		return nil, "", "", errors.Join(err, l.Close())
	}
	token = sameorigin.TokenFor(l.Addr())
	if token != "" {
		fmt.Fprintf(a.stderr, "warning: %s can be reached from other machines: with the token they see these series; nothing is encrypted\n", l.Addr())
	}
	return l, host, token, nil
}

// openSeries opens series for one request; done ends the request.
type openSeries func(context.Context) (q storage.Queryable, done func() error, err error)

// newMetricsServer is the server of Prometheus' API over what open opens.
func newMetricsServer(
	hosts []string, token sameorigin.Token, bounds metrics.Bounds, page prometheus.Gatherer, open openSeries, known func() map[string]metrics.Metadata,
) *http.Server {
	return &http.Server{
		Handler: token.Required(promapi.New(promapi.Config{
			Open: open, Engine: metrics.NewEngine(bounds), Parser: metrics.Parser(), Timeout: 2 * bounds.Timeout, Version: version(), Hosts: hosts,
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
