package guard

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gohone/hone/internal/testkit/leaktest"
)

// A connection that came about when its caller had given up must not stay with the program: one that waits for its
// connections at TERM would wait for a first request.
func TestDialerClosesWhatItsCallerGaveUp(t *testing.T) {
	leaktest.None(t)
	near, far, err := socketPair(dialerSocket)
	if err != nil {
		t.Fatal(err)
	}
	guard := far.Fd()
	defer far.Close()
	d := newDialer(near)
	defer d.close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()

	ctx, cancel := context.WithCancel(t.Context())
	request := make([]byte, dialPacket)
	asked := make(chan int, 1)
	go func() { // ends with the request
		n, _ := unix.Read(int(guard), request)
		cancel()
		asked <- n
	}()
	if _, err := d.Dial(ctx, l.Addr().String()); !errors.Is(err, context.Canceled) {
		t.Fatalf("dial: %v, want that it was given up", err)
	}
	n := <-asked
	reply, rights, opened := dialFor(request[:4], string(request[dialRequestHeader:n]), time.Minute)
	if err := unix.Sendmsg(int(guard), reply, rights, nil, 0); err != nil {
		t.Fatal(err)
	}
	opened.Close()
	served, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer served.Close()

	d.HangUp(time.Minute)
	_ = served.SetReadDeadline(time.Now().Add(20 * time.Second))
	if n, err := served.Read(make([]byte, 1)); n != 0 || errors.As(err, new(net.Error)) {
		t.Errorf("read %d bytes, %v; want the end of the connection", n, err)
	}
}
