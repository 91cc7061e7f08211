// Command fixed serves reports of a small shop, compressed as the client accepts it.
package main

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"sync"
)

type article struct {
	ID    int      `json:"id"`
	Title string   `json:"title"`
	Price float64  `json:"price"`
	Tags  []string `json:"tags"`
}

// shop answers from the articles that it was started with.
type shop struct{ articles []article }

func (s *shop) report(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	var page bytes.Buffer
	if err := json.NewEncoder(&page).Encode(s.articles); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(page.Bytes())
}

// codings are the constructors, by the name that clients ask for.
var codings = map[string]func(io.Writer) io.WriteCloser{
	"deflate": func(w io.Writer) io.WriteCloser {
		zw := idle.Get().(*zlib.Writer)
		zw.Reset(w)
		return lent{zw}
	},
}

var idle = sync.Pool{New: func() any {
	zw, err := zlib.NewWriterLevel(io.Discard, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	return zw
}}

// lent goes back when it is closed.
type lent struct{ *zlib.Writer }

func (l lent) Close() error {
	err := l.Writer.Close()
	idle.Put(l.Writer)
	return err
}

// encoded is an answer on its way through a coding.
type encoded struct {
	http.ResponseWriter
	body io.WriteCloser
}

func (e *encoded) Write(p []byte) (int, error) { return e.body.Write(p) }

func negotiate(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for name, open := range codings {
			if !strings.Contains(r.Header.Get("Accept-Encoding"), name) {
				continue
			}
			w.Header().Set("Content-Encoding", name)
			body := open(w)
			defer body.Close()
			next(&encoded{w, body}, r)
			return
		}
		next(w, r)
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	s := new(shop)
	for i := range 500 {
		s.articles = append(s.articles, article{ID: i, Title: fmt.Sprintf("Article number %d", i), Price: 9.99 + float64(i),
			Tags: []string{"garden", "wood", "outdoor"}})
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/report", negotiate(s.report))
	log.Fatal(http.ListenAndServe(*addr, mux))
}
