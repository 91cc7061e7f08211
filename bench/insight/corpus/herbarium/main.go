// Command herbarium looks up pressed plants.
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
)

func main() {
	c, err := open(2000)
	if err != nil {
		log.Fatal(err)
	}
	defer c.db.Close()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go c.keepThumbnails(ctx)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /specimens/{id}", c.specimen)
	srv := &http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT"), Handler: mux}
	done := make(chan struct{})
	go func() {
		defer close(done)
		<-ctx.Done()
		brief, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		defer cancel()
		srv.Shutdown(brief)
	}()
	if err := srv.ListenAndServe(); err != http.ErrServerClosed {
		log.Fatal(err)
	}
	<-done
	if err := truth.Save(); err != nil {
		log.Print(err)
	}
}
