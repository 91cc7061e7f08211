package visits

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// Bounds of what a client can hold up or make the server keep.
const (
	readTimeout  = 10 * time.Second // of a request, header and all
	writeTimeout = 10 * time.Second
	idleTimeout  = 2 * time.Minute
	maxHeader    = 8 << 10         // bytes; net/http grants 4 kB more. A query has 4 kB
	grace        = 5 * time.Second // for visits that are being answered at the end
)

// Serve serves counter at /hello, with timeouts and bounds, until ctx ends; then visits
// that are being answered are, for up to 5 seconds. The error is nil after such an end. ln is
// closed in any case.
func Serve(ctx context.Context, ln net.Listener, counter http.Handler) error {
	mux := http.NewServeMux()
	mux.Handle("/hello", counter)
	server := &http.Server{
		Handler: mux, ReadTimeout: readTimeout, ReadHeaderTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(ln) }() // ends with ln, or with Shutdown
	var err error
	select {
	case err = <-served:
	case <-ctx.Done():
	}
	deadline, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if stopped := server.Shutdown(deadline); stopped != nil {
		err = errors.Join(err, stopped, server.Close())
	}
	return err
}
