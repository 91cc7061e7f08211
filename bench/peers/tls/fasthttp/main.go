// Command fasthttp serves the document of services/tlsidle over TLS with
// github.com/valyala/fasthttp, with -reduce in its mode that keeps no buffers of idle
// connections. It ends when it is killed.
package main

import (
	"crypto/tls"
	"flag"
	"net"

	"github.com/valyala/fasthttp"

	"github.com/gohone/hone/bench/peers/serve"
	"github.com/gohone/hone/bench/peers/tls/returning"
	"github.com/gohone/hone/services/tlsidle"
)

func main() {
	reduce := flag.Bool("reduce", false, "set ReduceMemoryUsage")
	returning.Flag()
	serve.Main("fasthttp", "127.0.0.1:8443", func(addr string) error { return run(addr, *reduce) })
}

func run(addr string, reduce bool) error {
	cert, err := tlsidle.SelfSigned()
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	document := tlsidle.Document()
	s := &fasthttp.Server{
		ReduceMemoryUsage: reduce,
		Handler: func(c *fasthttp.RequestCtx) {
			c.SetContentType("application/json")
			c.Response.SetBodyRaw(document)
		},
	}
	return s.Serve(tls.NewListener(ln, &tls.Config{Certificates: []tls.Certificate{*cert}}))
}
