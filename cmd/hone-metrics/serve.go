package main

import (
	"context"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/cli"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/metrics"
	"github.com/gohone/hone/internal/pageserver"
	"github.com/gohone/hone/internal/recorder"
	"github.com/gohone/hone/internal/report"
	"github.com/gohone/hone/internal/sameorigin"
)

// defaultListen is where hone serves metrics unless told otherwise.
const defaultListen = "127.0.0.1:9464"

func (a *app) serveCommand() *cobra.Command {
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
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), f, listen, hosts) },
	}
	cmd.Flags().StringVar(&listen, "listen", defaultListen, "`host:port` to listen on")
	cmd.Flags().StringArrayVar(&hosts, "host", nil, "further `NAME` of this server besides localhost, such as host.docker.internal (repeatable)")
	cmd.Flags().StringVar(&f.ledger, "ledger", ".hone", "directory of the ledger")
	return cmd
}

func (a *app) serve(ctx context.Context, f *metricsFlags, listen string, hosts []string) error {
	store, err := f.store()
	if err != nil {
		return err
	}
	library := store.Library()
	defer library.Close()
	own := prometheus.NewRegistry()
	own.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "hone_info", Help: "The hone that serves.", ConstLabels: prometheus.Labels{"version": cli.ThisBuild().Version},
	}, func() float64 { return 1 }))
	s, err := a.serveMetrics(listen, hosts, metrics.Usual, own, library.Open, library.Metadata)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := report.MetricsServed(a.Stdout, s.Addr, string(s.token)); err != nil {
		return err
	}
	<-ctx.Done()
	return cli.Shown(fail.New(fail.Interrupted, "interrupted")) // how it ends; nothing needs to be said
}

// metricsServer is a server of metrics, and what other machines have to show.
type metricsServer struct {
	*http.Server
	token sameorigin.Token
}

// serveMetrics listens, and serves the API over what open opens and the page of a gatherer.
func (a *app) serveMetrics(
	listen string, hosts []string, bounds metrics.Bounds, page prometheus.Gatherer, open recorder.OpenSeries, known func() map[string]metrics.Metadata,
) (*metricsServer, error) {
	l, host, token, err := recorder.Listen(listen, a.Stderr)
	if err != nil {
		return nil, err
	}
	s := recorder.NewServer(append(hosts, host), token, bounds, page, open, known, cli.ThisBuild().Version)
	s.Addr = pageserver.Dialable(l.Addr(), host)
	go s.Serve(pageserver.Limited(s, l)) // ends with Close
	return &metricsServer{s, token}, nil
}
