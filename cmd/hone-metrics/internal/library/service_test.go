package library

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// service is a program with metrics of its own.
type service struct {
	page     *url.URL
	requests prometheus.Counter
	scrapes  atomic.Int64
}

func startService(t *testing.T) *service {
	s := &service{requests: prometheus.NewCounter(prometheus.CounterOpts{Name: "requests_total", Help: "Requests."})}
	registry := prometheus.NewRegistry()
	registry.MustRegister(s.requests)
	page := promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: true})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer s.scrapes.Add(1)
		page.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	var err error
	if s.page, err = url.Parse(server.URL + "/metrics"); err != nil {
		t.Fatal(err)
	}
	return s
}

// scraped waits for n more scrapes.
func (s *service) scraped(t *testing.T, n int64) {
	t.Helper()
	want := s.scrapes.Load() + n
	waitFor(t, "scrapes", func() bool { return s.scrapes.Load() >= want })
}

// waitFor polls: what it waits for happens in goroutines of others.
func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited a minute for %s", what)
		}
	}
}
