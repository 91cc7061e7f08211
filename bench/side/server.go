package side

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
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
	case NetHTTP:
		program, err = os.Executable()
	default:
		err = fmt.Errorf("unknown server %q, want %q or %q", kind, Bare, NetHTTP)
	}
	if err == nil {
		s.Dialog, err = proc.Talk(cpu, program, nil, asServer+"=1")
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start server: %w", err), os.RemoveAll(s.dir))
	}
	port, err := s.Out.ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read the server's port: %w", err), s.Close())
	}
	s.URL = "http://127.0.0.1:" + strings.TrimSpace(port) + "/"
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
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, "listen:", err)
		os.Exit(1)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String()) // an address of net's own
	fmt.Println(port)
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	var first sync.Once
	err = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		first.Do(func() { fmt.Println("first request") })
		io.WriteString(w, "hello, world")
	}))
	fmt.Fprintln(os.Stderr, "serve:", err)
	os.Exit(1)
}
