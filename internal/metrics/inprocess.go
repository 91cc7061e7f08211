package metrics

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// inProcess is the host name of the pages that hone serves to its own scraper, over
// connections in memory: what hone knows by itself takes the same way into the store as
// what others say, and is what its endpoint shows.
const inProcess = "hone.invalid"

// pages serves the metrics of collectors, by job, over connections in memory.
type pages struct {
	listener *memory
	server   *http.Server
	done     chan struct{}
}

// serve serves gatherers by job at /JOB until close. The scrape of one takes no longer
// than the timeout.
func serve(sources map[string]prometheus.Gatherer, timeout time.Duration) *pages {
	mux := http.NewServeMux()
	for name, g := range sources {
		mux.Handle("GET /"+name, promhttp.HandlerFor(g, promhttp.HandlerOpts{
			EnableOpenMetrics: true, Timeout: timeout, ErrorHandling: promhttp.ContinueOnError, DisableCompression: true,
		}))
	}
	p := &pages{
		listener: &memory{conns: make(chan net.Conn), closed: make(chan struct{})},
		server:   &http.Server{Handler: mux, ReadHeaderTimeout: timeout},
		done:     make(chan struct{}),
	}
	go func() { // ends with close
		defer close(p.done)
		p.server.Serve(p.listener)
	}()
	return p
}

func (p *pages) close() {
	p.server.Close()
	<-p.done
}

// memory is a listener for connections within the process.
type memory struct {
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func (m *memory) dial(ctx context.Context) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case m.conns <- there:
		return here, nil
	case <-m.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept waits for dial.
func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and dial.
func (m *memory) Close() error {
	m.once.Do(func() { close(m.closed) })
	return nil
}

// Addr has no meaning, but has to be there.
func (m *memory) Addr() net.Addr { return memoryAddr{} }

type memoryAddr struct{}

func (memoryAddr) Network() string { return "memory" }
func (memoryAddr) String() string  { return inProcess }
