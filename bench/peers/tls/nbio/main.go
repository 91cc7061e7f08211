// Command nbio serves the document of services/tlsidle over TLS with
// github.com/lesismal/nbio, whose idle connections wait in an epoll. It ends when it is
// killed.
package main

import (
	"net/http"
	"strconv"

	"github.com/lesismal/llib/std/crypto/tls"
	"github.com/lesismal/nbio/logging"
	"github.com/lesismal/nbio/nbhttp"

	"github.com/gohone/hone/bench/peers/serve"
	"github.com/gohone/hone/bench/peers/tls/returning"
	"github.com/gohone/hone/services/tlsidle"
)

func main() {
	returning.Flag()
	serve.Main("nbio", "127.0.0.1:8443", run)
}

func run(addr string) error {
	logging.SetLevel(logging.LevelNone)
	cert, err := tlsidle.SelfSigned()
	if err != nil {
		return err
	}
	document := tlsidle.Document()
	engine := nbhttp.NewEngine(nbhttp.Config{
		Network:  "tcp",
		AddrsTLS: []string{addr},
		// nbio has a crypto/tls of its own, which reads without blocking.
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{{
			Certificate: cert.Certificate, PrivateKey: cert.PrivateKey,
		}}},
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(len(document)))
			w.Write(document) // a client that is gone is gone
		}),
	})
	if err := engine.Start(); err != nil {
		return err
	}
	select {} // until killed
}
