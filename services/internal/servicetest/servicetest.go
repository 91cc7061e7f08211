// Package servicetest is what the tests of the reference services have in common.
package servicetest

import (
	"bytes"
	"context"
	"net"
	"sync"
	"testing"
	"time"
)

// Log collects what a server writes. Whoever writes waits while it is locked.
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
func Serve(t testing.TB, ln net.Listener, s interface {
	Serve(net.Listener) error
	Shutdown(context.Context) error
}) (stop func()) {
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
