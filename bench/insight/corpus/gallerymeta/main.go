// Command gallerymeta describes pictures by their histograms, which it keeps for a short while.
package main

import (
	"context"
	"corpus/gallerymeta/cache"
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
	c := cache.New(20*time.Millisecond, describe)
	r := chi.NewRouter()
	r.Get("/describe/{id}", func(w http.ResponseWriter, req *http.Request) {
		id, err := strconv.Atoi(chi.URLParam(req, "id"))
		if err != nil {
			http.Error(w, "bad id", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(c.Get(id))
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

// describe reads the picture, which takes the disk a few milliseconds, and counts its colors.
func describe(id int) cache.Description {
	pixels := read(id)
	var d cache.Description
	for _, p := range pixels {
		d.Histogram[p>>5]++
		d.Sum += int(p)
	}
	d.ID = id
	return d
}

func read(id int) []byte {
	time.Sleep(3 * time.Millisecond)
	b := make([]byte, 64<<10)
	x := uint32(id)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}
