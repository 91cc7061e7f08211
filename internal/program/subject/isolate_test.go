package subject

import (
	"context"
	"errors"
	"net"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/testkit/leaktest"
)

func needIsolation(t *testing.T) {
	t.Helper()
	if err := guard.CanIsolate(t.Context(), helperGuard()); err != nil {
		t.Skipf("no isolation here: %v", err)
	}
}

// Two subjects with the same port in their source run side by side, and so may a
// stranger outside.
func TestIsolatedSubjectsShareAPort(t *testing.T) {
	leaktest.None(t)
	needIsolation(t)
	outside, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer outside.Close()
	addr := outside.Addr().String()

	var pair [2]*Process
	for i := range pair {
		pair[i] = start(t, server(t, addr),
			StartOptions{Readiness: Readiness{Target: addr}, Resources: Resources{Isolate: true},
				Env: []string{"MARK=" + strconv.Itoa(i)}})
	}
	for i, p := range pair {
		if got := tell(t, p, "env MARK"); got != strconv.Itoa(i) {
			t.Errorf("subject %d answers with mark %q", i, got)
		}
		c, err := p.Dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if c.RemoteAddr().String() != addr {
			t.Errorf("connected to %v, want %s", c.RemoteAddr(), addr)
		}
		if _, ok := c.(*net.TCPConn); !ok {
			t.Errorf("connection is a %T", c)
		}
		c.Close()
	}
	own, err := pair[0].Listeners()
	if err != nil || len(own) != 1 || own[0].PID != pair[0].PID() {
		t.Errorf("listeners %v, %v; want one of PID %d", own, err, pair[0].PID())
	}
}

// The guard's privilege does not reach the subject, and nothing of hone's does.
func TestIsolatedDials(t *testing.T) {
	leaktest.None(t)
	needIsolation(t)
	p := start(t, server(t, "127.0.0.1:{port}"), StartOptions{Resources: Resources{Isolate: true}})
	fds := tell(t, p, "fds")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				if got, err := ask(t.Context(), p, "pid"); err != nil || got != strconv.Itoa(p.PID()) {
					t.Errorf("answer %q, %v", got, err)
				}
			}
		})
	}
	group.Wait()
	await(t, "the subject to close its connections", func() bool { return tell(t, p, "fds") == fds })

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Dial(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled dial: %v", err)
	}
	if _, err := p.client.Dial(t.Context(), "127.0.0.1:1"); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("dial to a closed port: %v, want connection refused", err)
	}
	// No host answers in 192.0.2.0/24 (RFC 5737), and there is no way there.
	if _, err := p.client.Dial(t.Context(), "192.0.2.1:80"); !errors.Is(err, syscall.ENETUNREACH) {
		t.Errorf("dial out of the namespace: %v, want network unreachable", err)
	}
	if got := tell(t, p, "pid"); got != strconv.Itoa(p.PID()) {
		t.Errorf("answer %q after failed dials", got)
	}
}

// Callers that give up leave the line in order for the next one.
func TestIsolatedDialGivesUp(t *testing.T) {
	leaktest.None(t)
	needIsolation(t)
	p := start(t, server(t, "127.0.0.1:{port}"), StartOptions{Resources: Resources{Isolate: true}})
	for range 50 {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		if c, err := p.Dial(ctx); err == nil {
			c.Close()
		} else if !errors.Is(err, context.Canceled) {
			t.Errorf("dial: %v", err)
		}
		if got := tell(t, p, "pid"); got != strconv.Itoa(p.PID()) {
			t.Fatalf("answer %q", got)
		}
	}
}
