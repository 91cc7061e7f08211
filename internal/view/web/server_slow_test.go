package web

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/view/page"
	"github.com/gohone/hone/internal/view/stored"
)

// pipes is a listener whose connections hold nothing: what is not read blocks the writer at once.
type pipes struct {
	conns chan net.Conn
	over  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.over:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.over); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

// A reader that takes nothing any more is dropped, and its place is free for another.
func TestSlowReadersAreDropped(t *testing.T) {
	dir, _ := ledgerWithRun(t)
	s := NewServer(Config{Ledger: dir, Library: func(l *ledger.Ledger) *page.Library {
		return &page.Library{Stored: &stored.Library{Ledger: l}}
	}})
	s.heartbeat, s.patience, s.streams = time.Millisecond, 10*time.Millisecond, make(chan struct{}, 1)
	ctx, cancel := context.WithCancel(t.Context())
	ln, ended := &pipes{make(chan net.Conn), make(chan struct{})}, make(chan error, 1)
	go func() { ended <- s.Serve(ctx, ln) }()
	mine, theirs := net.Pipe()
	ln.conns <- theirs
	if _, err := fmt.Fprintf(mine, "GET /api/v1/live HTTP/1.1\r\nHost: localhost\r\nCookie: hone=%s\r\n\r\n",
		s.door.session); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReaderSize(mine, 16).ReadString('\n'); err != nil || line != "HTTP/1.1 200 OK\r\n" {
		t.Fatalf("%q, %v", line, err)
	}
	select { // the stream has begun, so it holds the only place until it is dropped
	case s.streams <- struct{}{}:
		<-s.streams
	case <-time.After(time.Minute):
		t.Error("it is still there")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	_ = mine.Close()
}
