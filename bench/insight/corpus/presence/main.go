// Command presence knows who is online in which room.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-chi/chi/v5"
)

func main() {
	p := newPresence(256)
	for i := range 600 {
		room := "lobby"
		if i%3 == 0 {
			room = "games"
		}
		p.enter(fmt.Sprintf("user-%d", i), room, int64(i))
	}
	r := chi.NewRouter()
	r.Get("/online", func(w http.ResponseWriter, req *http.Request) {
		res := p.count(req.FormValue("room"))
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(res)
	})
	r.Put("/online/{room}/{user}", func(w http.ResponseWriter, req *http.Request) {
		p.enter(chi.URLParam(req, "user"), chi.URLParam(req, "room"), time.Now().Unix())
		w.WriteHeader(http.StatusNoContent)
	})
	r.Delete("/online/{user}", func(w http.ResponseWriter, req *http.Request) {
		p.leave(chi.URLParam(req, "user"))
		w.WriteHeader(http.StatusNoContent)
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatalf("listen: %v", err)
	}
	server := &http.Server{Handler: r, ReadHeaderTimeout: 5 * time.Second}
	done := make(chan os.Signal, 1)
	signal.Notify(done, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		if err := server.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
			log.Fatalf("serve: %v", err)
		}
	}()
	<-done
	shutdown, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_ = server.Shutdown(shutdown)
}
