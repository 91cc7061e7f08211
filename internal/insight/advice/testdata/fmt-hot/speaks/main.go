// Command speaks exports measured values as lines of text, for a database of time series.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"
	"sync"
)

type point struct {
	sensor string
	at     int64
	value  float64
	count  int
}

// history is a ring of points.
type history struct {
	mu     sync.Mutex
	points []point
	next   int
}

func (h *history) record(p point) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.points[h.next] = p
	h.next = (h.next + 1) % len(h.points)
}

func (h *history) last(n int, into []point) []point {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range min(n, len(h.points)) {
		into = append(into, h.points[(h.next+len(h.points)-1-i)%len(h.points)])
	}
	return into
}

// line writes a point with a space between its fields.
func line(w *bufio.Writer, p point) {
	fmt.Fprintf(w, "%s %d %.3f %d\n", p.sensor, p.at, p.value, p.count) // want: fmt-hot
}

func (h *history) export(w io.Writer, n int) error {
	points := h.last(n, make([]point, 0, n))
	bw := bufio.NewWriter(w)
	for _, p := range points {
		line(bw, p)
	}
	return bw.Flush()
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	h := &history{points: make([]point, 1000)}
	for i := range 1500 {
		h.record(point{sensor: "sensor" + strconv.Itoa(i%7), at: 1700000000 + int64(i), value: float64(i) * 1.37, count: i % 11})
	}
	http.HandleFunc("/last", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.URL.Query().Get("n"))
		if err != nil || n < 0 || n > 1000 {
			http.Error(w, "n: a number up to 1000", http.StatusBadRequest)
			return
		}
		if err := h.export(w, n); err != nil {
			log.Print(err)
		}
	})
	log.Fatal(http.ListenAndServe(*addr, nil))
}
