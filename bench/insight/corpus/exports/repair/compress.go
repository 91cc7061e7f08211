package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"sync"
)

// compressor sends responses with gzip to clients that accept it.
type compressor struct {
	level int
	free  sync.Pool
}

func newCompressor(level int) *compressor { return &compressor{level: level} }

type gzipResponse struct {
	http.ResponseWriter
	zw *gzip.Writer
}

func (g *gzipResponse) Write(p []byte) (int, error) { return g.zw.Write(p) }

func accepts(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
}

func (c *compressor) open(w io.Writer) (*gzip.Writer, error) {
	if zw, ok := c.free.Get().(*gzip.Writer); ok {
		zw.Reset(w)
		return zw, nil
	}
	zw, err := gzip.NewWriterLevel(w, c.level)
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	return zw, nil
}

func (c *compressor) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept-Encoding")
		if !accepts(r) {
			next.ServeHTTP(w, r)
			return
		}
		zw, err := c.open(w)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		next.ServeHTTP(&gzipResponse{w, zw}, r)
		if err := zw.Close(); err != nil {
			log.Print(err)
		}
		c.free.Put(zw)
	})
}
