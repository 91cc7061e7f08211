// Command quarry keeps the stock of a stone yard.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"corpus/truth"
)

func main() {
	y := newYard(300)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /blocks/{n}", func(w http.ResponseWriter, r *http.Request) {
		t := truth.Begin()
		defer t.End()
		n, err := strconv.Atoi(r.PathValue("n"))
		b, ok := y.block(t, n)
		if err != nil || !ok {
			http.Error(w, "no such block", http.StatusNotFound)
			return
		}
		reply(w, b)
	})
	mux.HandleFunc("PUT /blocks/{n}", func(w http.ResponseWriter, r *http.Request) {
		t := truth.Begin()
		defer t.End()
		n, err := strconv.Atoi(r.PathValue("n"))
		if err != nil || !y.move(t, n, r.FormValue("place")) {
			http.Error(w, "no such block", http.StatusNotFound)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go y.stocktaking(ctx)
	srv := &http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT"), Handler: methods(mux)}
	go func() {
		<-ctx.Done()
		last, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		defer cancel()
		srv.Shutdown(last)
	}()
	if err := srv.ListenAndServe(); err != http.ErrServerClosed {
		log.Fatal(err)
	}
	if err := truth.Save(); err != nil {
		log.Print(err)
	}
}

// methods lets old scanners, which only know GET, say what they mean in the address.
func methods(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if m := r.URL.Query().Get("method"); m == http.MethodPut && r.Method == http.MethodGet {
			r.Method = m
		}
		next.ServeHTTP(w, r)
	})
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}
