// Command exchange converts amounts between currencies.
package main

import (
	"corpus/exchange/rates"
	"encoding/json"
	"errors"
	"log"
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/go-chi/chi/v5"
)

func main() {
	bank, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(bank, rates.Bank())
	client := rates.NewClient("http://" + bank.Addr().String())
	r := chi.NewRouter()
	r.Get("/convert", func(w http.ResponseWriter, req *http.Request) {
		amount, err := strconv.ParseFloat(req.FormValue("amount"), 64)
		if err != nil {
			http.Error(w, "amount is a number", http.StatusBadRequest)
			return
		}
		from, to := req.FormValue("from"), req.FormValue("to")
		answer := map[string]any{"from": from, "to": to}
		rate, err := client.Rate(req.Context(), from, to)
		switch {
		case errors.Is(err, rates.ErrUnknown):
			answer["known"] = false
		case err != nil:
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		default:
			answer["amount"] = math.Round(amount*rate*100) / 100
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(answer)
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
