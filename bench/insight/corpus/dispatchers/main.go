// Command dispatchers hands jobs to a worker that is connected over TCP.
package main

import (
	"context"
	"corpus/dispatchers/wire"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

func main() {
	ln0, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go work(ln0)
	conn, err := net.Dial("tcp", ln0.Addr().String())
	if err != nil {
		log.Fatal(err)
	}
	d := &dispatcher{link: wire.NewLink(conn)}
	http.HandleFunc("POST /jobs", d.submit)
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatalf("listen: %v", err)
	}
	server := &http.Server{Handler: http.DefaultServeMux, ReadHeaderTimeout: 5 * time.Second}
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

type dispatcher struct {
	mu   sync.Mutex
	link *wire.Link
}

func (d *dispatcher) submit(w http.ResponseWriter, r *http.Request) {
	var job wire.Job
	if err := json.NewDecoder(r.Body).Decode(&job); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	res, err := d.roundTrip(&job)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(res)
}

func (d *dispatcher) roundTrip(job *wire.Job) (*wire.Result, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.link.Send(job); err != nil {
		return nil, fmt.Errorf("send job: %w", err)
	}
	res := &wire.Result{}
	if err := d.link.Receive(res); err != nil {
		return nil, fmt.Errorf("receive result: %w", err)
	}
	return res, nil
}
