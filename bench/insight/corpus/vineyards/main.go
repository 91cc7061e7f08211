// Command vineyards sums up what the vineyards of a valley harvested.
package main

import (
	"log"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/valyala/fasthttp"
)

func main() {
	h := &harvests{all: load(1000)}
	ln, err := net.Listen("tcp4", "127.0.0.1:"+os.Getenv("PORT"))
	if err != nil {
		log.Fatal(err)
	}
	server := &fasthttp.Server{Handler: h.handle}
	go func() {
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
		<-stop
		_ = ln.Close()
		os.Exit(0)
	}()
	if err := server.Serve(ln); err != nil {
		log.Fatal(err)
	}
}
