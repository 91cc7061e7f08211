// Command remittance tells what it costs to send money abroad.
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
	bank, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(bank, http.HandlerFunc(tell))
	d := &desk{fees: newFees("http://" + bank.Addr().String())}
	srv := &http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT"), Handler: d}
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGTERM)
	go func() {
		if err := srv.ListenAndServe(); err != http.ErrServerClosed {
			log.Fatal(err)
		}
	}()
	<-quit
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	srv.Shutdown(ctx)
	if err := truth.Save(); err != nil {
		log.Print(err)
	}
}
