// Command berthing reserves berths in a harbour.
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"corpus/truth"
)

func main() {
	office, err := openOffice()
	if err != nil {
		log.Fatal(err)
	}
	h := newHarbour(60, office.Addr().String())
	mux := http.NewServeMux()
	mux.HandleFunc("POST /berths/{id}", h.reserve)
	mux.HandleFunc("POST /audits", h.startAudit)
	server := &http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT"), Handler: mux}
	stop, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	go func() {
		if err := server.ListenAndServe(); err != http.ErrServerClosed {
			log.Fatal(err)
		}
	}()
	<-stop.Done()
	last, end := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer end()
	server.Shutdown(last)
	if err := truth.Save(); err != nil {
		log.Print(err)
	}
}

// openOffice starts the pilots' office, which other parties keep in reality.
func openOffice() (net.Listener, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go attend(c)
		}
	}()
	return l, nil
}
