// Package servicetest is what the tests of the reference services have in common.
package servicetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// Log collects what a server writes. A writer waits while it is locked.
type Log struct {
	sync.Mutex
	b bytes.Buffer
}

func (l *Log) Write(b []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.b.Write(b)
}

func (l *Log) String() string {
	l.Lock()
	defer l.Unlock()
	return l.b.String()
}

// EachStage runs story once for each stage.
func EachStage[S fmt.Stringer](t *testing.T, stages []S, story func(t *testing.T, stage S)) {
	t.Helper()
	for _, stage := range stages {
		t.Run(stage.String(), func(t *testing.T) { story(t, stage) })
	}
}

// Server is a service's server.
type Server interface {
	Serve(net.Listener) error
	Shutdown(context.Context) error
}

// Running is where a server listens, and the lines that it logs.
type Running struct {
	Addr string
	Log  *Log
}

// Start serves what create makes, until stop is called; the server must then shut down in
// order.
func Start[S Server](t testing.TB, ln net.Listener, create func(*slog.Logger) (S, error)) (s S, r Running,
	stop func()) {
	t.Helper()
	r = Running{Addr: ln.Addr().String(), Log: new(Log)}
	s, err := create(slog.New(slog.NewTextHandler(r.Log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	return s, r, Serve(t, ln, s)
}

// Dial opens a plain connection, closed when the test ends.
func (r *Running) Dial(t testing.TB) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", r.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn.(*net.TCPConn)
}

// Logged wants the log to have all parts.
func (r *Running) Logged(t testing.TB, parts ...string) {
	t.Helper()
	Contains(t, "log", r.Log.String(), parts...)
}

// Contains wants text to have all parts.
func Contains(t testing.TB, what, text string, parts ...string) {
	t.Helper()
	for _, want := range parts {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %q:\n%s", what, want, text)
		}
	}
}

// Listen returns a listener on a free loopback port.
func Listen(t testing.TB) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return ln
}

// Serve has s serve ln until stop is called; s must then shut down in order.
func Serve(t testing.TB, ln net.Listener, s Server) (stop func()) {
	served := make(chan error, 1)
	go func() { served <- s.Serve(ln) }() // ends with stop
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := s.Shutdown(ctx); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		if err := <-served; err != nil {
			t.Errorf("Serve: %v, want nil after Shutdown", err)
		}
	}
}

// RefusesMisuse wants s, which serves, to refuse a second listener, and one after Shutdown.
func RefusesMisuse(t *testing.T, s Server, serving, shutdown error) {
	t.Helper()
	if err := s.Serve(Listen(t)); !errors.Is(err, serving) {
		t.Errorf("second Serve: %v, want ErrServing", err)
	}
	if err := s.Shutdown(t.Context()); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
	if err := s.Serve(Listen(t)); !errors.Is(err, shutdown) {
		t.Errorf("Serve after Shutdown: %v, want ErrShutdown", err)
	}
}

// ReportsALostListener wants a listener that was closed without Shutdown to be an error.
func ReportsALostListener[S Server](t *testing.T, s S, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	ln := Listen(t)
	ln.Close()
	if err := s.Serve(ln); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Serve: %v, want net.ErrClosed", err)
	}
	if err := s.Shutdown(t.Context()); err != nil {
		t.Errorf("Shutdown: %v", err)
	}
}

// GivesUpOnTime wants a shutdown whose time is up to say that it gave up one connection.
func GivesUpOnTime(t *testing.T, s Server) {
	t.Helper()
	expired, cancel := context.WithCancel(context.Background())
	cancel()
	err := s.Shutdown(expired)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "1 connections closed with answers owed") {
		t.Errorf("Shutdown: %v, want the connection that was given up", err)
	}
}

// Await waits until counters are as wanted, for up to a minute of ticks.
func Await[C any](t testing.TB, what string, counters func() C, ok func(C) bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for tries := 0; !ok(counters()); tries++ {
		if tries == 60_000 {
			t.Fatalf("%s never happened: %+v", what, counters())
		}
		<-tick.C
	}
}
