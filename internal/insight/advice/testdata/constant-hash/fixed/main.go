// Command fixed serves the pages of a handbook, with tags so that clients need not load what they
// have.
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"log"
	"net/http"
	"strconv"
)

// page is read-only once it is made.
type page struct {
	title string
	body  []byte
	tag   string
}

type handbook map[string]*page

func newHandbook() handbook {
	h := handbook{}
	for i := range 9 {
		p := &page{title: fmt.Sprintf("Chapter %d", i)}
		p.body = bytes.Repeat(fmt.Appendf(nil, "<p>%s says what it says.</p>\n", p.title), 900)
		p.tag = tagOf(p.body)
		h["chapter"+strconv.Itoa(i)] = p
	}
	return h
}

func tagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return fmt.Sprintf("\"%x\"", sum[:8])
}

// fresh says whether a client has the page already.
func fresh(r *http.Request, tag string) bool { return r.Header.Get("If-None-Match") == tag }

func (h handbook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, ok := h[r.PathValue("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", p.tag)
	if fresh(r, p.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	w.Header().Set("Content-Length", strconv.Itoa(len(p.body)))
	w.Write(p.body)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	mux := http.NewServeMux()
	mux.Handle("GET /pages/{name}", newHandbook())
	log.Fatal(http.ListenAndServe(*addr, mux))
}
