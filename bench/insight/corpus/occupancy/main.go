// Command occupancy finds meeting rooms that are free for some hours.
package main

import (
	"context"
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
	c := newCalendar(25, 60)
	r := chi.NewRouter()
	r.Get("/rooms/free", func(w http.ResponseWriter, req *http.Request) {
		day, err1 := strconv.Atoi(req.FormValue("day"))
		hours, err2 := strconv.Atoi(req.FormValue("hours"))
		if err := errors.Join(err1, err2); err != nil || hours < 1 || hours > 8 {
			http.Error(w, "day and hours are numbers", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(c.free(day, hours))
	})
	r.Post("/rooms/{room}/book", func(w http.ResponseWriter, req *http.Request) {
		room, err1 := strconv.Atoi(chi.URLParam(req, "room"))
		day, err2 := strconv.Atoi(req.FormValue("day"))
		hour, err3 := strconv.Atoi(req.FormValue("hour"))
		if errors.Join(err1, err2, err3) != nil || !c.book(room, day, hour) {
			http.Error(w, "not free", http.StatusConflict)
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
