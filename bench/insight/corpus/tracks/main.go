// Command tracks serves recorded hikes as GeoJSON.
package main

import (
	"context"
	"corpus/tracks/geo"
	"errors"
	"fmt"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/go-chi/chi/v5"
)

func record(n int, seed float64) *geo.Track {
	t := &geo.Track{Name: fmt.Sprintf("Hike %.0f", seed)}
	for i := range n {
		f := float64(i)
		t.Points = append(t.Points, geo.Point{Lon: 11.3 + seed/100 + math.Sin(f/50)/40, Lat: 47.2 + math.Cos(f/70)/30 + f/1e5, Height: 900 + i%400})
	}
	return t
}

func main() {
	tracks := map[string]*geo.Track{"1": record(300, 1), "2": record(220, 2), "3": record(500, 3)}
	r := chi.NewRouter()
	r.Get("/tracks/{id}", func(w http.ResponseWriter, req *http.Request) {
		t, ok := tracks[chi.URLParam(req, "id")]
		if !ok {
			http.NotFound(w, req)
			return
		}
		if s := req.FormValue("simplify"); s != "" {
			meters, err := strconv.ParseFloat(s, 64)
			if err != nil {
				http.Error(w, "simplify is a number of meters", http.StatusBadRequest)
				return
			}
			t = t.Simplify(meters)
		}
		w.Header().Set("Content-Type", "application/geo+json")
		w.Write(t.GeoJSON())
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
