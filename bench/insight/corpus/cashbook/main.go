// Command cashbook keeps the entries of tills and closes their books.
package main

import (
	"context"
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
	dir, err := os.MkdirTemp("", "cashbook")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	b := newBook(dir)
	r := chi.NewRouter()
	r.Post("/tills/{till}/entries", b.enter)
	r.Post("/tills/{till}/closings", b.close)
	srv := &http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT"), Handler: r}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go func() {
		if err := srv.ListenAndServe(); err != http.ErrServerClosed {
			log.Print(err)
			stop()
		}
	}()
	<-ctx.Done()
	end, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	srv.Shutdown(end)
	if err := truth.Save(); err != nil {
		log.Print(err)
	}
}
