// Command tickers shows the last prices of symbols.
package main

import (
	"corpus/tickers/feed"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

func main() {
	f := feed.New("AAA", "BBB", "CCC", "DDD", "EEE")
	go f.Drive(250 * time.Millisecond)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /snapshot", func(w http.ResponseWriter, r *http.Request) {
		symbols := strings.Split(r.FormValue("symbols"), ",")
		sub := f.Subscribe(symbols)
		defer f.Close(sub)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(sub.Last())
	})
	addr := "127.0.0.1:8080"
	if p, ok := os.LookupEnv("PORT"); ok {
		addr = net.JoinHostPort("127.0.0.1", p)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		slog.Error("listen", "addr", addr, "err", err)
		os.Exit(1)
	}
	hs := http.Server{Handler: mux}
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, syscall.SIGTERM)
	go func() {
		<-sigs
		_ = hs.Close()
	}()
	slog.Info("ready", "addr", l.Addr().String())
	_ = hs.Serve(l)
}
