package observe

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/services/framed"
	framedmetrics "github.com/gohone/hone/services/framed/metrics"
)

// framedServer is a framed server in this process, and its metrics page.
type framedServer struct {
	address string
	page    *url.URL
}

// startFramed starts a server whose page is that of the program framed: its counters, and
// client_golang's default collectors. It ends with the test.
func startFramed(t *testing.T) framedServer {
	t.Helper()
	server, err := framed.New(framed.Config{Stage: "batched"})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(ln) }() // ends with Shutdown
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := errors.Join(server.Shutdown(ctx), <-served); err != nil {
			t.Error(err)
		}
	})
	page := httptest.NewServer(pageOf(
		framedmetrics.NewCollector(server.Counters),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	))
	t.Cleanup(page.Close)
	at, err := url.Parse(page.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	return framedServer{address: ln.Addr().String(), page: at}
}

// pageOf serves collectors at any path.
func pageOf(all ...prometheus.Collector) http.Handler {
	return promhttp.HandlerFor(registryOf(all...), promhttp.HandlerOpts{EnableOpenMetrics: true})
}

func registryOf(all ...prometheus.Collector) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(all...)
	return registry
}

// startLoad loads the server in an open loop until the end of the test, and returns what
// hone shows of it: the load and hone's version.
func startLoad(t *testing.T, address string) prometheus.Collector {
	t.Helper()
	target, err := schemes.Parse("framed://"+address, wire.Options{})
	if err != nil {
		t.Fatal(err)
	}
	session, err := load.Open(t.Context(), load.Plan{Connections: 4, Depth: 1, Timeout: patience}, target,
		target.Dialer(nil))
	if err != nil {
		t.Fatal(err)
	}
	const rateHz = 500
	shown := metrics.NewLoad(rateHz)
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { // ends with stop
		stretch := load.Stretch{Schedule: load.OpenLoop(rateHz, time.Hour), Interval: 100 * time.Millisecond}
		var state metrics.LoadState
		each := func(s load.Slice) {
			encoded, err := s.EncodeLatency()
			if state.Add(s); err == nil {
				err = shown.Show(state, encoded)
			}
			if err != nil {
				t.Error(err)
			}
		}
		if err := session.Run(ctx, stretch, each); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		stop()
		running.Wait()
		session.Close()
	})
	return both{shown, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "hone_info", Help: "hone.", ConstLabels: prometheus.Labels{"version": "test"},
	}, func() float64 { return 1 })}
}

// both is two collectors in one.
type both [2]prometheus.Collector

func (b both) Describe(to chan<- *prometheus.Desc) {
	b[0].Describe(to)
	b[1].Describe(to)
}

func (b both) Collect(to chan<- prometheus.Metric) {
	b[0].Collect(to)
	b[1].Collect(to)
}
