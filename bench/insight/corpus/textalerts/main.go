// Command textalerts sends short messages through a provider.
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
	provider, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(provider, newProvider())
	s := newSender("http://" + provider.Addr().String())
	l, err := net.Listen("tcp", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /alerts/{number}", s.alert)
	web := &http.Server{Handler: mux, ReadHeaderTimeout: 3 * time.Second}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go web.Serve(l)
	<-ctx.Done()
	end, cancel := context.WithTimeout(context.Background(), 600*time.Millisecond)
	defer cancel()
	web.Shutdown(end)
	if err := truth.Save(); err != nil {
		log.Print(err)
	}
}
