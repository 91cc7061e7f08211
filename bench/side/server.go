package side

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gohone/hone/bench/proc"
)

// Servers of the benchmarks, each a process of its own that answers every GET with 200
// and "hello, world".
const (
	Bare    = "bare"     // C on one epoll loop that looks for the end of each request
	NetHTTP = "net/http" // Go's
	HTTPS   = "https"    // Go's over TLS
	HTTP2   = "http2"    // Go's over TLS, for tools that speak HTTP/2
)

//go:embed peer/httpd.c
var httpd []byte

// asServer is set for a process that is to be the net/http server.
const asServer = "HONE_BENCH_SERVER"

// Server is a server process, which ends when its parent does.
type Server struct {
	*proc.Dialog
	dir string // of a compiled server
	URL string
}

// StartServer starts a server on one CPU (below 0: on any). The program must call
// ServeIfAsked first thing.
func StartServer(ctx context.Context, kind string, cpu int) (_ *Server, err error) {
	s := &Server{}
	if s.dir, err = os.MkdirTemp("", "hone-bench-"); err != nil {
		return nil, fmt.Errorf("make build directory: %w", err)
	}
	program := filepath.Join(s.dir, "httpd")
	switch kind {
	case Bare:
		err = proc.BuildC(ctx, program, httpd)
	case NetHTTP, HTTPS, HTTP2:
		program, err = os.Executable()
	default:
		err = fmt.Errorf("unknown server %q, want %q, %q, %q or %q", kind, Bare, NetHTTP, HTTPS, HTTP2)
	}
	if err == nil {
		s.Dialog, err = proc.Talk(cpu, program, nil, asServer+"="+kind)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start server: %w", err), os.RemoveAll(s.dir))
	}
	port, err := s.Out.ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read the server's port: %w", err), s.Close())
	}
	scheme := "http"
	if kind == HTTPS || kind == HTTP2 {
		scheme = "https"
	}
	s.URL = scheme + "://127.0.0.1:" + strings.TrimSpace(port) + "/"
	return s, nil
}

// AwaitRequest waits for the first request that a net/http server gets. The error says
// that the server ended before.
func (s *Server) AwaitRequest() error {
	if _, err := s.Out.ReadString('\n'); err != nil {
		return fmt.Errorf("wait for the first request: %w", err)
	}
	return nil
}

// Close ends the server. It must not be stopped (SIGSTOP).
func (s *Server) Close() error { return errors.Join(s.Dialog.Close(), os.RemoveAll(s.dir)) }

// ServeIfAsked makes this process the net/http server if it was started as one, and
// then never returns: it ends when its standard input does. It prints its port, and a
// line more when the first request comes.
func ServeIfAsked() {
	if os.Getenv(asServer) == "" {
		return
	}
	var first sync.Once
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		first.Do(func() { fmt.Println("first request") })
		io.WriteString(w, "hello, world")
	}))
	if os.Getenv(asServer) == NetHTTP {
		s.Start()
	} else {
		s.EnableHTTP2 = true                           // the client chooses
		s.Config.ErrorLog = log.New(io.Discard, "", 0) // wrk connects once more than it shakes hands
		s.StartTLS()
	}
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String()) // an address of net's own
	fmt.Println(port)
	io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}
