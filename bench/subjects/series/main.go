// Command subject is a service with many series at /metrics, all of which change between
// two scrapes.
package main

import (
	"flag"
	"log"
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address to listen on")
	series := flag.Int("series", 5000, "series at /metrics")
	flag.Parse()
	registry := prometheus.NewRegistry()
	counter := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "subject_events_total", Help: "Events by kind."},
		[]string{"kind"})
	registry.MustRegister(counter)
	page := promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	http.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		for i := range *series {
			counter.WithLabelValues(strconv.Itoa(i)).Add(float64(1 + i%7))
		}
		page.ServeHTTP(w, r)
	})
	http.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("ok")) })
	log.Fatal(http.ListenAndServe(*addr, nil))
}
