// Command counters shortens links and counts their clicks.
package main

import (
	"cmp"
	"context"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/gorilla/mux"
)

func main() {
	s := newShortener(map[string]string{"docs": "https://docs.example.org/", "home": "https://example.org/", "shop": "https://shop.example.org/?c=1"})
	r := mux.NewRouter()
	r.HandleFunc("/l/{name}", s.show).Methods(http.MethodGet)
	r.HandleFunc("/stats", s.stats).Methods(http.MethodGet)
	ln, err := net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "8080"))
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: r}
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
