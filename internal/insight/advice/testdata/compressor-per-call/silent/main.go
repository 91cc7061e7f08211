// Command silent serves a page compressed. A background job makes a compressor each time it renders
// the page, which is twice a second; requests send the bytes that it left.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

type status struct {
	Rendered time.Time      `json:"rendered"`
	Served   int64          `json:"served"`
	Rooms    map[string]int `json:"rooms"`
}

// lobby keeps the page ready.
type lobby struct {
	served atomic.Int64
	page   atomic.Pointer[[]byte]
}

func (l *lobby) render() error {
	s := status{Rendered: time.Now(), Served: l.served.Load(), Rooms: map[string]int{}}
	for i := range 120 {
		s.Rooms["room-"+strconv.Itoa(i)] = i * 3
	}
	var b bytes.Buffer
	zw := gzip.NewWriter(&b)
	if err := json.NewEncoder(zw).Encode(s); err != nil {
		return err
	}
	if err := zw.Close(); err != nil {
		return err
	}
	page := b.Bytes()
	l.page.Store(&page)
	return nil
}

func (l *lobby) keep(every time.Duration) {
	for range time.Tick(every) {
		if err := l.render(); err != nil {
			log.Print(err)
		}
	}
}

func (l *lobby) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.served.Add(1)
	page := *l.page.Load()
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Encoding", "gzip")
	h.Set("Content-Length", strconv.Itoa(len(page)))
	_, _ = w.Write(page)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	l := new(lobby)
	if err := l.render(); err != nil {
		log.Fatal(err)
	}
	go l.keep(500 * time.Millisecond)
	http.Handle("/report", l)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
