// Command nightbus tells when the next buses leave, by what the companies say.
package main

import (
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	companies, err := startCompanies(4)
	if err != nil {
		log.Fatal(err)
	}
	b := newBoard(companies)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /stops/{stop}", b.stop)
	server := &http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT"), Handler: mux}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	go func() {
		<-stop
		_ = server.Close()
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		log.Fatal(err)
	}
}
