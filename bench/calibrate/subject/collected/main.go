// Command collected is a subject of the calibration whose collector is busy: an HTTP server
// with a live heap of some 20 MB that is let grow by a quarter only. Each request decodes a few
// orders from JSON, keeps them instead of the oldest ones, and answers with their total. It
// spins -spin iterations more for each request.
//
//	collected -addr 127.0.0.1:8080 -spin 0
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"sync"

	"github.com/gohone/hone/bench/calibrate/spin"
	"github.com/gohone/hone/services/visits"
)

const (
	// orders is how many orders are kept, of some 700 bytes each, and perRequest how many of
	// them a request brings.
	orders     = 30_000
	perRequest = 4
	// gcPercent keeps the heap small, as in a service with little memory: the collector takes
	// a tenth to a fifth of the CPU time.
	gcPercent = 25
)

// order is what each request brings.
type order struct {
	Customer string            `json:"customer"`
	Lines    []line            `json:"lines"`
	Notes    map[string]string `json:"notes"`
}

type line struct {
	Article  string  `json:"article"`
	Quantity int     `json:"quantity"`
	Price    float64 `json:"price"`
}

// text is the order that every request brings, several times.
const text = `{"customer":"Ada","lines":[{"article":"bolt M6","quantity":40,"price":0.08},` +
	`{"article":"nut M6","quantity":40,"price":0.05},{"article":"washer","quantity":80,"price":0.02}],` +
	`"notes":{"delivery":"before noon","packing":"one box","contact":"by mail"}}`

// shop keeps the orders that came last.
type shop struct {
	mu   sync.Mutex
	next int
	kept []*order
}

// ServeHTTP keeps orders and answers with their total.
func (s *shop) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	total := 0.0
	for range perRequest {
		o, err := decode()
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.keep(o)
		for _, l := range o.Lines {
			total += float64(l.Quantity) * l.Price
		}
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"orders":%d,"total":%.2f}`, perRequest, total)
}

func decode() (*order, error) {
	o := &order{}
	return o, json.Unmarshal([]byte(text), o)
}

func (s *shop) keep(o *order) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[s.next] = o
	s.next = (s.next + 1) % len(s.kept)
}

func main() { spin.Main(serve) }

func serve(ctx context.Context, ln net.Listener, iterations int) error {
	debug.SetGCPercent(gcPercent)
	s := &shop{kept: make([]*order, orders)}
	for range orders { // the heap is as large from the first request on
		o, err := decode()
		if err != nil {
			return err
		}
		s.keep(o)
	}
	return visits.Serve(ctx, ln, spin.Handler(s, iterations))
}
