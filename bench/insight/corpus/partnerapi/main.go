// Command partnerapi tells partners how much of an article is in stock.
package main

import (
	"corpus/partnerapi/auth"
	"encoding/json"
	"log"
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/gorilla/mux"
)

func main() {
	guard, err := auth.NewGuard(map[string]string{"acme": "k-7f2b1c", "zeta": "k-0a9d3e"})
	if err != nil {
		log.Fatal(err)
	}
	shop := newCatalog(900)
	r := mux.NewRouter()
	r.HandleFunc("/catalog", shop.list).Methods(http.MethodGet)
	inside := r.PathPrefix("/stock").Subrouter()
	inside.Use(guard.Middleware)
	inside.HandleFunc("/{id:[0-9]+}", stock).Methods(http.MethodGet)
	addr := "127.0.0.1:8080"
	if p, ok := os.LookupEnv("PORT"); ok {
		addr = net.JoinHostPort("127.0.0.1", p)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		slog.Error("listen", "addr", addr, "err", err)
		os.Exit(1)
	}
	hs := http.Server{Handler: r}
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, syscall.SIGTERM)
	go func() {
		<-sigs
		_ = hs.Close()
	}()
	slog.Info("ready", "addr", l.Addr().String())
	_ = hs.Serve(l)
}

type forecast struct {
	Day   int     `json:"day"`
	Units float64 `json:"units"`
}

func stock(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.Atoi(mux.Vars(r)["id"])
	var days []forecast
	level := float64(200 + id)
	for d := range 60 {
		// exponential smoothing of a seasonal demand
		demand := 5 + 3*math.Sin(float64(d+id)/7*2*math.Pi)
		level = level*0.97 + 12 - demand
		days = append(days, forecast{d, math.Round(level*10) / 10})
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"id": id, "partner": r.Header.Get("X-Partner"), "forecast": days})
}
