// Command stockquotes passes on the quotes of an exchange within a time limit of the client's choice.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"hash/crc32"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	floor, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(floor, http.HandlerFunc(trade))
	g := &gateway{base: "http://" + floor.Addr().String(), transport: &http.Transport{MaxIdleConnsPerHost: 32, DisableCompression: true}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /quote", g.quote)
	ln, err := net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "8080"))
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: mux}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	go func() {
		<-ctx.Done()
		srv.Close()
	}()
	if err := srv.Serve(ln); err != http.ErrServerClosed {
		log.Fatal(err)
	}
}

func trade(w http.ResponseWriter, r *http.Request) {
	h := crc32.ChecksumIEEE([]byte(r.FormValue("s")))
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(quote{Symbol: r.FormValue("s"), Bid: float64(h%90000) / 100, Ask: float64(h%90000+7) / 100})
}

type quote struct {
	Symbol string  `json:"symbol"`
	Bid    float64 `json:"bid"`
	Ask    float64 `json:"ask"`
}
