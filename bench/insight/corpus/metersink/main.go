// Command metersink takes the readings of electricity meters and stores them in batches.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"corpus/truth"
)

func main() {
	store, err := openStore()
	if err != nil {
		log.Fatal(err)
	}
	b := &batcher{in: make(chan *reading, 512), store: store}
	go b.run(15 * time.Millisecond)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /meters/{meter}", func(w http.ResponseWriter, r *http.Request) {
		t := truth.Begin()
		defer t.End()
		var in reading
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		in.meter = r.PathValue("meter")
		stored := t.Part("batch")
		at, err := b.add(&in)
		stored()
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"meter": in.meter, "position": at})
	})
	srv := &http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT"), Handler: mux}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
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
