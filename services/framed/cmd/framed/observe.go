package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gohone/hone/services/framed"
	"github.com/gohone/hone/services/framed/metrics"
)

// observation is where the program lets itself be watched; empty addresses are off. The
// pages have no password: anyone who reaches the address can read them.
type observation struct {
	metrics string // serves /metrics
	pprof   string // serves /debug/pprof/
}

// page is one set of pages and where it is served.
type page struct {
	name   string
	ln     net.Listener
	server *http.Server
}

// open takes the addresses and returns what is to be served there, in part on an error.
func (o observation) open(server *framed.Server) (pages []page, err error) {
	for _, p := range []struct {
		name, addr string
		handler    func(*framed.Server) (http.Handler, error)
	}{
		{"metrics", o.metrics, metricsPage},
		{"pprof", o.pprof, pprofPages},
	} {
		if p.addr == "" {
			continue
		}
		handler, err := p.handler(server)
		if err != nil {
			return pages, fmt.Errorf("serve %s: %w", p.name, err)
		}
		ln, err := net.Listen("tcp", p.addr)
		if err != nil {
			return pages, fmt.Errorf("serve %s: %w", p.name, err)
		}
		pages = append(pages, page{p.name, ln, &http.Server{Handler: handler, ReadHeaderTimeout: headerTimeout}})
	}
	return pages, nil
}

// headerTimeout ends connections that send no request: far more than a scraper needs.
const headerTimeout = 10 * time.Second

// serve serves the page until close, on a goroutine that ends with it.
func (p page) serve(log *slog.Logger) {
	log.Info("serving "+p.name, "addr", p.ln.Addr().String())
	p.server.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelWarn)
	go func() {
		if err := p.server.Serve(p.ln); !errors.Is(err, http.ErrServerClosed) {
			log.Error("serving "+p.name+" ended", "err", err)
		}
	}()
}

// close ends the page and the requests for it.
func (p page) close() {
	p.server.Close()
	p.ln.Close() // if it was never served
}

// metricsPage shows the server, the Go runtime and the process, from a registry of its own.
func metricsPage(server *framed.Server) (http.Handler, error) {
	registry := prometheus.NewRegistry()
	for _, c := range []prometheus.Collector{
		metrics.NewCollector(server.Counters),
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	} {
		if err := registry.Register(c); err != nil {
			return nil, fmt.Errorf("register metrics: %w", err)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	return mux, nil
}

// pprofPages are those of net/http/pprof, on a mux of their own.
func pprofPages(*framed.Server) (http.Handler, error) {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux, nil
}
