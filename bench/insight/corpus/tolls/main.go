// Command tolls tells what a section of a road costs.
package main

import (
	"context"
	"corpus/tolls/memdb"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	memdb.Define("tolls", []string{"road", "class", "section", "cents", "zone", "valid"}, rows())
	db, err := sql.Open("memdb", "")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	db.SetMaxIdleConns(16)
	s := &service{db: db}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tolls/{road}", s.tolls)
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatalf("listen: %v", err)
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
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

func rows() [][]any {
	var out [][]any
	for r := range 6 {
		for class := range 5 {
			for sec := range 3 {
				out = append(out, []any{fmt.Sprintf("A%d", r+1+r%2*5), int64(class), fmt.Sprintf("section-%d", sec), int64(100 + class*50 + sec), "north", int64(1)})
			}
		}
	}
	return out
}
