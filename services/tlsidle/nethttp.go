package tlsidle

import (
	"context"
	"crypto/tls"
	"errors"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/gohone/hone/services/internal/server"
)

// netHTTP is the engine of the standard library. It speaks HTTP/1.1 only, as the other
// stages do.
type netHTTP struct {
	s        *Server
	http     *http.Server
	stopping sync.WaitGroup
}

var _ server.Engine = (*netHTTP)(nil)

func newNetHTTP(s *Server) engine {
	n := &netHTTP{s: s}
	n.http = &http.Server{
		Handler:           http.HandlerFunc(n.answer),
		TLSConfig:         s.tls.Clone(),
		TLSNextProto:      map[string]func(*http.Server, *tls.Conn, http.Handler){}, // no HTTP/2
		ReadHeaderTimeout: s.cfg.RequestTimeout,
		WriteTimeout:      s.cfg.WriteTimeout,
		IdleTimeout:       s.cfg.IdleTimeout,
		MaxHeaderBytes:    MaxHeaderBytes,
		// An OPTIONS * is answered as any other method that is not allowed.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     log.New(blames{s}, "", 0),
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateClosed {
				s.core.Leave(server.Ending{})
			}
		},
	}
	return n
}

func (n *netHTTP) serve(ln net.Listener) error { return n.http.ServeTLS(ln, "", "") }

// answer is the handler.
func (n *netHTTP) answer(w http.ResponseWriter, r *http.Request) {
	n.s.tally.requests.Add(1)
	a := choose(r.Method, r.URL.Path, r.ContentLength != 0)
	h := w.Header()
	if a.allow {
		h.Set("Allow", allowed)
	}
	if a.ends {
		h.Set("Connection", "close")
	}
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	h.Set("Content-Type", jsonType)
	w.WriteHeader(a.status)
	if _, err := w.Write(a.body); err == nil || errors.Is(err, http.ErrBodyNotAllowed) {
		n.s.tally.responses.Add(1)
	}
}

// Finish has net/http end its connections.
func (n *netHTTP) Finish() {
	// It ends with the connections. The listener is closed already, which is its error.
	n.stopping.Go(func() { _ = n.http.Shutdown(context.Background()) })
}

func (n *netHTTP) Abort() { n.http.Close() }
func (n *netHTTP) Quit()  { n.stopping.Wait() }

// blames takes the lines of net/http's log, which are all there is to know of a failed
// handshake.
type blames struct{ s *Server }

func (b blames) Write(line []byte) (int, error) {
	text := strings.TrimSpace(string(line))
	cause := CauseBroken
	if strings.HasPrefix(text, "http: TLS handshake error") {
		cause = CauseHandshake
	}
	b.s.ended(cause, nil, errors.New(text))
	return len(line), nil
}
