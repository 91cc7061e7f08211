// Command breadcrumbs shows the pages of a handbook with the way to them.
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
	b := newHandbook(60)
	r := mux.NewRouter()
	r.HandleFunc("/page/{id:[0-9]+}", b.show).Methods(http.MethodGet)
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
