package pageserver

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// dial opens a connection that ends with the test.
func dial(t *testing.T, to net.Addr) net.Conn {
	t.Helper()
	var d net.Dialer
	c, err := d.DialContext(t.Context(), "tcp", to.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// answered says what a server answers on a connection, which stays open.
func answered(t *testing.T, c net.Conn, path string) string {
	t.Helper()
	if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close() // it is empty
	return answer.Status
}

// Who only connects keeps no one out, who was let in stays, and so do the bounds.
func TestIdleConnectionsLockNoOneOut(t *testing.T) {
	var listen net.ListenConfig
	ln, err := listen.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { //nolint:gosec // its clients are below
		if r.URL.Path == "/secret" {
			LetIn(r)
			LetIn(r)
		}
	})}
	limited := Limited(server, ln).(*crowd)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(limited) }()

	owner, stranger := dial(t, ln.Addr()), dial(t, ln.Addr())
	for name, got := range map[string]string{"owner": answered(t, owner, "/secret"),
		"stranger": answered(t, stranger, "/")} {
		if !strings.Contains(got, "200") {
			t.Fatalf("%s: %q", name, got)
		}
	}
	for range 300 {
		dial(t, ln.Addr())
	}
	later := dial(t, ln.Addr()) // accepted last: all are accepted when it is answered
	for _, c := range []net.Conn{later, owner} {
		if got := answered(t, c, "/secret"); !strings.Contains(got, "200") {
			t.Errorf("%q", got)
		}
	}
	_ = stranger.SetReadDeadline(time.Now().Add(10 * time.Second)) // for a fault only
	if _, err := stranger.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the oldest stranger is still there: %v", err)
	}
	limited.mu.Lock()
	if len(limited.strangers) > mostStrangers || limited.known != 2 {
		t.Errorf("%d strangers, %d known", len(limited.strangers), limited.known)
	}
	limited.mu.Unlock()
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != http.ErrServerClosed { //nolint:errorlint // it is this one
		t.Error(err)
	}
}

// Of the strangers the oldest goes from where most of them are; there are only so many known ones.
func TestStrangersGoFromWhereMostAre(t *testing.T) {
	c := &crowd{}
	at := func(address string) *visitor {
		return &visitor{of: c, from: origin(&net.TCPAddr{IP: netip.MustParseAddr(address).AsSlice()})}
	}
	first, six := at("192.0.2.1"), at("2001:db8::1")
	crowd := []*visitor{first, six}
	for i := range mostStrangers - 2 {
		crowd = append(crowd, at(fmt.Sprintf("2001:db8:0:1::%x", i+1))) // many addresses, one machine
	}
	for _, v := range crowd {
		if out := c.enter(v); out != nil {
			t.Fatalf("%v had to go", out.from)
		}
	}
	for i := range 300 {
		out := c.enter(at("2001:db8:0:1::ffff"))
		if out == nil || i < mostStrangers-2 && out != crowd[i+2] {
			t.Fatalf("%d: %v", i, out)
		}
	}
	if !slices.Contains(c.strangers, first) || !slices.Contains(c.strangers, six) || len(c.strangers) != mostStrangers {
		t.Errorf("%d strangers", len(c.strangers))
	}
	for range mostKnown + 9 {
		v := at("192.0.2.1")
		c.enter(v)
		c.letIn(v)
		c.letIn(v)
	}
	if c.known != mostKnown || len(c.strangers) > mostStrangers {
		t.Errorf("%d known, %d strangers", c.known, len(c.strangers))
	}
	first.known, c.known = true, 1
	c.leave(first)
	c.leave(first)
	if c.known != 0 || slices.Contains(c.strangers, first) {
		t.Errorf("%d known", c.known)
	}
	if origin(&net.UnixAddr{}) != (netip.Prefix{}) || origin(&net.TCPAddr{}) != (netip.Prefix{}) {
		t.Error("no address is an origin")
	}
}
