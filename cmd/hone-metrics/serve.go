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
	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone-metrics/internal/library"
	"github.com/gohone/hone/cmd/hone-metrics/internal/promapi"
	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/sys/pageserver"
	"github.com/gohone/hone/internal/sys/sameorigin"
	"github.com/gohone/hone/internal/text/fail"
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
Prometheus data source. The label run tells runs apart. /metrics is a page for a Prometheus of yours: what was
recorded last of each run that goes on.

It listens on this machine only, unless --listen gives another address. Then requests from other
machines need the token that serve prints when it starts: a browser in the address, Grafana
and other programs in the header Authorization: Bearer TOKEN.`,
		Example: `  hone metrics serve
  hone metrics serve --listen 127.0.0.1:9465`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), f, listen, hosts) },
	}
	cmd.Flags().StringVar(&listen, "listen", defaultListen, "`host:port` to listen on")
	cmd.Flags().StringArrayVar(&hosts, "host", nil,
		"further `NAME` of this server besides localhost, such as host.docker.internal (repeatable)")
	cmd.Flags().StringVar(&f.ledger, "ledger", ".hone", "directory of the ledger")
	return cmd
}

func (a *app) serve(ctx context.Context, f *metricsFlags, listen string, hosts []string) error {
	store, err := f.store()
	if err != nil {
		return err
	}
	all := library.New(store)
	defer all.Close()
	s, err := a.serveMetrics(listen, hosts, latest{store}, all)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := writeServed(a.Stdout, s.Addr, string(s.token)); err != nil {
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

// serveMetrics listens, and serves the API over a library and the page of a gatherer.
func (a *app) serveMetrics(listen string, hosts []string, page prometheus.Gatherer,
	all *library.Library) (*metricsServer, error) {
	l, host, token, err := a.listenForMetrics(listen)
	if err != nil {
		return nil, err
	}
	s := newMetricsServer(append(hosts, host), token, page, all)
	s.Addr = pageserver.Dialable(l.Addr(), host)
	go s.Serve(pageserver.Limited(s, l)) // ends with Close
	return &metricsServer{s, token}, nil
}

// listenForMetrics opens an address. The token is what other machines have to show if they
// reach it.
func (a *app) listenForMetrics(listen string) (l net.Listener, host string, token sameorigin.Token, err error) {
	if l, err = net.Listen("tcp", listen); err != nil {
		return nil, "", "", fail.New(fail.Environment, "serve metrics: %w",
			err).WithHint("--listen takes another host:port")
	}
	if host, _, err = net.SplitHostPort(listen); err != nil {
		return nil, "", "", errors.Join(err, l.Close())
	}
	token = sameorigin.TokenFor(l.Addr())
	if token != "" {
		fmt.Fprintf(a.Stderr,
			"warning: %s can be reached from other machines: with the token they see these series; nothing is encrypted\n",
			l.Addr())
	}
	return l, host, token, nil
}

// newMetricsServer is the server of Prometheus' API over a library.
func newMetricsServer(hosts []string, token sameorigin.Token, page prometheus.Gatherer,
	all *library.Library) *http.Server {
	return &http.Server{
		Handler: token.Required(promapi.New(promapi.Config{
			Open: all.Open, Engine: library.NewEngine(library.Usual), Parser: library.Parser(),
			Timeout: 2 * library.Usual.Timeout,
			Version: cli.ThisBuild().Version, Hosts: hosts,
			Metadata: func(metric string) []promapi.Metadata { return metadataOf(all.Metadata(), metric) },
			Metrics: promhttp.HandlerFor(page, promhttp.HandlerOpts{EnableOpenMetrics: true,
				ErrorHandling: promhttp.ContinueOnError}),
		})),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second, // a query is small
		IdleTimeout:       2 * time.Minute,
	}
}

// metadataOf is what is known of one metric, or of all for "", by name.
func metadataOf(known map[string]library.Metadata, metric string) []promapi.Metadata {
	var all []promapi.Metadata
	for name, m := range known {
		if metric == "" || metric == name {
			all = append(all, promapi.Metadata{Metric: name, Type: m.Type, Unit: m.Unit, Help: m.Help})
		}
	}
	slices.SortFunc(all, func(a, b promapi.Metadata) int { return cmp.Compare(a.Metric, b.Metric) })
	return all
}
