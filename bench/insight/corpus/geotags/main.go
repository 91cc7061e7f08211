// Command geotags tags the points of tracks with geohashes.
package main

import (
	"cmp"
	"context"
	"corpus/geotags/workers"
	"encoding/json"
	"errors"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
)

func track(n int, seed float64) []workers.Point {
	pts := make([]workers.Point, n)
	for i := range pts {
		pts[i] = workers.Point{Lat: 52 + math.Sin(seed+float64(i)/9), Lon: 4.5 + math.Cos(seed*3+float64(i)/7)}
	}
	return pts
}

func main() {
	p := workers.Start(4)
	defer p.Stop()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /tag", func(w http.ResponseWriter, r *http.Request) {
		n, err1 := strconv.Atoi(r.FormValue("n"))
		seed, err2 := strconv.ParseFloat(r.FormValue("seed"), 64)
		if err := errors.Join(err1, err2); err != nil || n < 1 || n > 5000 {
			http.Error(w, "n and seed are numbers", http.StatusBadRequest)
			return
		}
		tags := p.Tags(track(n, seed))
		counts := map[string]int{}
		for _, t := range tags {
			counts[t[:4]]++
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"tags": tags, "areas": counts})
	})
	ln, err := net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "8080"))
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: mux}
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
