// Command linestats counts what is in texts, line by line.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/valyala/fasthttp"
)

func main() {
	s := &stats{lineBuffer: 128 << 10}
	handler := func(ctx *fasthttp.RequestCtx) {
		if !ctx.IsPost() || string(ctx.Path()) != "/stats" {
			ctx.Error("POST /stats", fasthttp.StatusNotFound)
			return
		}
		res, err := s.count(bytes.NewReader(ctx.PostBody()))
		if err != nil {
			ctx.Error(err.Error(), fasthttp.StatusBadRequest)
			return
		}
		ctx.SetContentType("application/json")
		if err := json.NewEncoder(ctx).Encode(res); err != nil {
			log.Print(err)
		}
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	ln, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	srv := &fasthttp.Server{Handler: handler, CloseOnShutdown: true, MaxRequestBodySize: 8 << 20}
	go func() {
		term := make(chan os.Signal, 1)
		signal.Notify(term, syscall.SIGTERM)
		<-term
		srv.Shutdown()
	}()
	if err := srv.Serve(ln); err != nil {
		log.Fatal(err)
	}
}
