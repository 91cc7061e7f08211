// Command gazetteer finds places by their name and takes corrections.
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

	"github.com/go-chi/chi/v5"
)

func main() {
	places := newIndex(4000)
	r := chi.NewRouter()
	r.Get("/places/{prefix}", func(w http.ResponseWriter, q *http.Request) {
		t := truth.Begin()
		defer t.End()
		list := places.find(t, chi.URLParam(q, "prefix"))
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(list)
	})
	server := &http.Server{Handler: r, Addr: "127.0.0.1:" + os.Getenv("PORT")}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go places.correct(ctx, survey(ctx))
	go func() {
		<-ctx.Done()
		late, done := context.WithTimeout(context.Background(), 500*time.Millisecond)
		defer done()
		server.Shutdown(late)
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		log.Fatal(err)
	}
	if err := truth.Save(); err != nil {
		log.Print(err)
	}
}
