package serving

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"
)

// overHTTP is HTTP/1.1 as net/http serves it, overHTTP2 its HTTP/2 without TLS.
var (
	overHTTP  = &protocol{"http", serveHTTP}
	overHTTP2 = &protocol{"http2", serveHTTP2}
)

func serveHTTP(ctx context.Context, ln net.Listener, h func(context.Context) error) error {
	return serveWith(ctx, ln, &http.Server{Handler: web(h)})
}

func serveHTTP2(ctx context.Context, ln net.Listener, h func(context.Context) error) error {
	s := &http.Server{Handler: web(h), Protocols: new(http.Protocols)}
	s.Protocols.SetUnencryptedHTTP2(true)
	return serveWith(ctx, ln, s)
}

// web is a handler of net/http.
type web func(context.Context) error

func (h web) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h(r.Context()); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = io.WriteString(w, "done\n") // a client that has gone needs no answer
}

// leave is how long requests under way may take at the end.
const leave = 2 * time.Second

func serveWith(ctx context.Context, ln net.Listener, s *http.Server) error {
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ln) }() // ends when the server is shut down below
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	limit, cancel := context.WithTimeout(context.Background(), leave)
	defer cancel()
	if err := s.Shutdown(limit); err != nil {
		return errors.Join(err, s.Close())
	}
	return nil
}
