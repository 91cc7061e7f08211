// Command fleet tells which vehicles are near to a place.
package main

import (
	"context"
	"corpus/fleet/vehicles"
	"encoding/json"
	"errors"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/go-chi/chi/v5"
)

func main() {
	f := vehicles.New(1200)
	r := chi.NewRouter()
	r.Get("/near", func(w http.ResponseWriter, req *http.Request) {
		x, errX := strconv.ParseFloat(req.FormValue("x"), 64)
		y, errY := strconv.ParseFloat(req.FormValue("y"), 64)
		n, errN := strconv.Atoi(req.FormValue("n"))
		if err := errors.Join(errX, errY, errN); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(f.Near(vehicles.Position{X: x, Y: y}, n))
	})
	r.Post("/vehicles/{id}/position", func(w http.ResponseWriter, req *http.Request) {
		id, _ := strconv.Atoi(chi.URLParam(req, "id"))
		var p vehicles.Position
		if err := json.NewDecoder(req.Body).Decode(&p); err != nil || !f.Move(id, p) {
			http.Error(w, "bad position", http.StatusBadRequest)
			return
		}
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
