// Command fixed takes orders over HTTP and writes a line about each to its log.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
)

type order struct {
	Customer string  `json:"customer"`
	Article  string  `json:"article"`
	Count    int     `json:"count"`
	Price    float64 `json:"price"`
}

// desk takes orders.
type desk struct {
	log  zerolog.Logger
	last atomic.Int64
}

type receipt struct {
	Number int64   `json:"number"`
	Total  float64 `json:"total"`
}

func (d *desk) order(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	var o order
	if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
		d.log.Warn().Err(err).Msg("bad order")
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	rc := receipt{Number: d.last.Add(1), Total: float64(o.Count) * o.Price}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(rc); err != nil {
		d.log.Error().Err(err).Send()
	}
	d.note(o, rc, r, began)
}

func (d *desk) note(o order, rc receipt, r *http.Request, began time.Time) {
	d.log.Info().Str("customer", o.Customer).Str("article", o.Article).Int("count", o.Count).Float64("total", rc.Total).
		Int64("number", rc.Number).Str("remote", r.RemoteAddr).Str("path", r.URL.Path).Dur("took", time.Since(began)).
		Msg("order taken")
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	path := flag.String("log", os.DevNull, "`file` of the log")
	flag.Parse()
	f, err := os.OpenFile(*path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		log.Fatal(err)
	}
	d := &desk{log: zerolog.New(f).With().Timestamp().Logger()}
	http.HandleFunc("POST /orders", d.order)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
