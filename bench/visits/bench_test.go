package visits

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// BenchmarkVisits measures one visit of each stage, without a network.
func BenchmarkVisits(b *testing.B) {
	for _, s := range Stages {
		b.Run(s.Name, func(b *testing.B) {
			h := s.New(io.Discard)
			w := &discard{header: http.Header{}}
			r := httptest.NewRequest(http.MethodGet, "/hello?name=gopher&color=blue", nil)
			b.ReportAllocs()
			for b.Loop() {
				h.ServeHTTP(w, r)
			}
		})
	}
}

// BenchmarkVisitsAtOnce measures visits by as many goroutines as there are CPUs.
func BenchmarkVisitsAtOnce(b *testing.B) {
	for _, s := range Stages {
		b.Run(s.Name, func(b *testing.B) {
			h := s.New(io.Discard)
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				w := &discard{header: http.Header{}}
				r := httptest.NewRequest(http.MethodGet, "/hello?name=gopher&color=blue", nil)
				for pb.Next() {
					h.ServeHTTP(w, r)
				}
			})
		})
	}
}

// discard is a response that costs nothing of its own.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(int)             {}
