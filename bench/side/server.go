package side

import (
	"bufio"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// Servers of the benchmarks, each a process of its own that answers every GET with 200
// and "hello, world".
const (
	Bare    = "bare"     // C on one epoll loop that looks for the end of each request
	NetHTTP = "net/http" // Go's
)

//go:embed peer/httpd.c
var sources embed.FS

// asServer is set for a process that is to be the net/http server.
const asServer = "HONE_BENCH_SERVER"

// Server is a server process, which ends when its parent does.
type Server struct {
	cmd *exec.Cmd
	in  io.Closer
	out *bufio.Reader
	dir string // of a compiled server; empty: none
	URL string
}

// StartServer starts a server on one CPU (below 0: on any). The program must call
// ServeIfAsked first thing.
func StartServer(ctx context.Context, kind string, cpu int) (*Server, error) {
	s := &Server{}
	var err error
	switch kind {
	case Bare:
		if s.cmd, s.dir, err = compile(ctx); err != nil {
			return nil, err
		}
	case NetHTTP:
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("find own program: %w", err)
		}
		s.cmd = exec.CommandContext(ctx, self)
		s.cmd.Env = append(os.Environ(), asServer+"=1")
	default:
		return nil, fmt.Errorf("unknown server %q, want %q or %q", kind, Bare, NetHTTP)
	}
	return s, s.start(cpu)
}

func (s *Server) start(cpu int) error {
	s.cmd.Stderr = os.Stderr
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("start server: %w", err)
	}
	s.in = in
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("start server: %w", err)
	}
	if err := StartOn(cpu, s.cmd); err != nil {
		return fmt.Errorf("start server: %w", err)
	}
	s.out = bufio.NewReader(out)
	port, err := s.out.ReadString('\n')
	if err != nil {
		return errors.Join(fmt.Errorf("read the server's port: %w", err), s.Close())
	}
	s.URL = "http://127.0.0.1:" + strings.TrimSpace(port) + "/"
	return nil
}

// AwaitRequest waits for the first request that a net/http server gets. The error says
// that the server ended before.
func (s *Server) AwaitRequest() error {
	if _, err := s.out.ReadString('\n'); err != nil {
		return fmt.Errorf("wait for the first request: %w", err)
	}
	return nil
}

// Process is for signals.
func (s *Server) Process() *os.Process { return s.cmd.Process }

// Close ends the server. It must not be stopped (SIGSTOP).
func (s *Server) Close() error {
	s.in.Close()
	err := s.cmd.Wait()
	if s.dir != "" {
		err = errors.Join(err, os.RemoveAll(s.dir))
	}
	return err
}

// compile builds the C server with gcc -O2.
func compile(ctx context.Context) (*exec.Cmd, string, error) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		return nil, "", errors.New("gcc is needed to build the bare server (Debian: apt-get install gcc libc6-dev)")
	}
	source, err := sources.ReadFile("peer/httpd.c")
	if err != nil {
		return nil, "", err
	}
	dir, err := os.MkdirTemp("", "hone-bench-")
	if err != nil {
		return nil, "", fmt.Errorf("make build directory: %w", err)
	}
	path := filepath.Join(dir, "httpd")
	build := exec.CommandContext(ctx, gcc, "-O2", "-Wall", "-x", "c", "-o", path, "-")
	build.Stdin = strings.NewReader(string(source))
	if out, err := build.CombinedOutput(); err != nil {
		return nil, "", errors.Join(fmt.Errorf("build httpd.c: %w\n%s", err, out), os.RemoveAll(dir))
	}
	return exec.CommandContext(ctx, path), dir, nil
}

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
