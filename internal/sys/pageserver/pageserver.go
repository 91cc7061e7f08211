// Package pageserver serves pages to a browser until a context ends, with the limits that a server on a user's machine
// has.
package pageserver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

// grace is how long pages may take that were asked for before the end.
const grace = time.Second

// Serve answers until the context ends, and closes the listener. Requests then have a moment to end; their own contexts
// end at once, so that streams do not last. A nil certificate serves plain HTTP. The error is nil if it was the context
// that ended it.
func Serve(ctx context.Context, ln net.Listener, handler http.Handler, certificate *tls.Certificate) error {
	server := &http.Server{
		Handler:           handler,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 10 * time.Second, // of a page on this machine; a browser is never slower
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,                   // pprof's expressions are in the address
		ErrorLog:          log.New(io.Discard, "", 0), // of connections that broke off
	}
	ln = Limited(server, ln)
	closed := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() { closed <- shutdown(server) }) // its end is awaited below
	var err error
	if certificate == nil {
		err = server.Serve(ln)
	} else {
		server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{*certificate}, MinVersion: tls.VersionTLS12}
		err = server.ServeTLS(ln, "", "")
	}
	if stop() {
		return fmt.Errorf("serve pages: %w", errors.Join(err, server.Close()))
	}
	return <-closed
}

func shutdown(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if server.Shutdown(ctx) == nil {
		return nil
	}
	return server.Close()
}

// Protect sets the headers that keep a page to itself: it loads and sends what the policy allows
// (Content-Security-Policy), is embedded by no other site, and stays in no cache.
func Protect(h http.Header, policy string) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}
