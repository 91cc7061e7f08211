package quicconn_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/testkit/nettest"
	"github.com/gohone/hone/internal/wire/quicconn"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const name = "test"

// serve listens for QUIC and hands each connection to handle.
func serve(t *testing.T, handle func(c *quic.Conn)) (address string) {
	t.Helper()
	udp, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	transport := &quic.Transport{Conn: udp}
	l, err := transport.Listen(&tls.Config{NextProtos: []string{name},
		Certificates: []tls.Certificate{nettest.Certificate(t)}}, &quic.Config{MaxIncomingStreams: 2})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			c, err := l.Accept(context.Background())
			if err != nil {
				return
			}
			wg.Go(func() { handle(c); _ = c.CloseWithError(0x100, "") })
		}
	})
	t.Cleanup(func() { // its goroutines end with Close, those of quic.ListenAddr some time after it
		_ = l.Close()
		wg.Wait()
		_ = errors.Join(transport.Close(), udp.Close())
	})
	return l.Addr().String()
}

func dial(t *testing.T, address string) *quicconn.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	c, err := quicconn.Dial(ctx, net.Dialer{}, address,
		&tls.Config{InsecureSkipVerify: true, NextProtos: []string{name}})
	if err != nil {
		t.Fatal(err)
	}
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	t.Cleanup(func() { c.Close() })
	return c
}

// next reads one piece.
func next(t *testing.T, c net.Conn, have *[]byte) quicconn.Piece {
	t.Helper()
	buf := make([]byte, 100)
	for {
		if r, n := quicconn.Read(*have); n > 0 {
			*have = (*have)[n:]
			return r
		}
		n, err := c.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		*have = append(*have, buf[:n]...)
	}
}

// collect reads streams to their ends, and returns what came on each.
func collect(t *testing.T, c net.Conn, streams int) map[uint64]string {
	t.Helper()
	var have []byte
	all := map[uint64]string{}
	for streams > 0 {
		r := next(t, c, &have)
		switch r.Kind {
		case quicconn.Part, quicconn.Last:
			all[r.Stream] += string(r.Data)
		}
		if r.Kind == quicconn.Last {
			streams--
		}
	}
	return all
}

// echo answers each stream with what came on it.
func echo(c *quic.Conn) {
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		s, err := c.AcceptStream(context.Background())
		if err != nil {
			return
		}
		wg.Go(func() {
			b, _ := io.ReadAll(s)
			_, _ = s.Write(b)
			_ = s.Close()
		})
	}
}

func TestRequestsAreStreamsOfTheirOwn(t *testing.T) {
	c := dial(t, serve(t, echo))
	large := bytes.Repeat([]byte("large "), 300_000) // more than the windows of the connection
	var out []byte
	want := map[uint64]string{}
	for i := range uint64(6) {
		data := large[:100*i]
		if i == 1 {
			data = large
		}
		want[i] = string(data)
		out = quicconn.Piece{Kind: quicconn.Request, Stream: i, Data: data}.Append(out)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if n, err := c.Write(out); n != len(out) || err != nil {
			t.Errorf("wrote %d of %d: %v", n, len(out), err)
		}
	})
	got := collect(t, c, 6)
	wg.Wait()
	for i, w := range want {
		if got[i] != w {
			t.Errorf("stream %d: %d bytes came back of %d", i, len(got[i]), len(w))
		}
	}
}

func TestLimitIsToldOnce(t *testing.T) {
	goOn := make(chan struct{})
	c := dial(t, serve(t, func(q *quic.Conn) {
		<-goOn
		echo(q)
	}))
	var out, have []byte
	for i := range uint64(5) {
		out = quicconn.Piece{Kind: quicconn.Request, Stream: i}.Append(out)
	}
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = c.Write(out) })
	if r := next(t, c, &have); r.Kind != quicconn.Limit || r.Code() != 2 {
		t.Errorf("got %+v, want the limit of 2 streams", r)
	}
	close(goOn)
	for range 5 {
		if r := next(t, c, &have); r.Kind != quicconn.Last {
			t.Errorf("got %+v, want the end of a stream", r)
		}
	}
	wg.Wait()
}

func TestResetsAndStops(t *testing.T) {
	codes := make(chan error, 1)
	c := dial(t, serve(t, func(q *quic.Conn) {
		s, err := q.AcceptStream(context.Background())
		if err != nil {
			return
		}
		s.CancelWrite(7)
		if s, err = q.AcceptStream(context.Background()); err != nil {
			return
		}
		_, _ = s.Write([]byte("x"))
		<-s.Context().Done()
		codes <- context.Cause(s.Context())
		<-q.Context().Done()
	}))
	var have []byte
	write := func(r quicconn.Piece) {
		if _, err := c.Write(r.Append(nil)); err != nil {
			t.Fatal(err)
		}
	}
	write(quicconn.Piece{Kind: quicconn.Request})
	for r := next(t, c, &have); r.Kind != quicconn.Reset || r.Code() != 7; r = next(t, c, &have) {
		if r.Kind != quicconn.Part || len(r.Data) > 0 {
			t.Fatalf("got %+v, want a reset with code 7", r)
		}
	}
	write(quicconn.Piece{Kind: quicconn.Request, Stream: 1, Data: []byte("y")})
	if r := next(t, c, &have); r.Kind != quicconn.Part || string(r.Data) != "x" {
		t.Fatalf("got %+v", r)
	}
	write(quicconn.Piece{Kind: quicconn.Stop, Stream: 1, Data: quicconn.Code(9)})
	var told *quic.StreamError
	if err := <-codes; !errors.As(err, &told) || told.ErrorCode != 9 {
		t.Errorf("the server was told %v, want code 9", err)
	}
}

// What came before the end is read before it.
func TestTheEndComesLast(t *testing.T) {
	c := dial(t, serve(t, func(q *quic.Conn) {
		s, err := q.OpenUniStream()
		if err == nil {
			_, err = s.Write([]byte("bye"))
		}
		if err == nil {
			_, err = q.AcceptUniStream(context.Background())
		}
		if err != nil {
			t.Error(err)
		}
	}))
	var have []byte
	if r := next(t, c, &have); r.Kind != quicconn.Push || string(r.Data) != "bye" {
		t.Errorf("got %+v, want what the server sent first", r)
	}
	if _, err := c.Write(quicconn.Piece{Kind: quicconn.Setup, Data: []byte("hello")}.Append(nil)); err != nil {
		t.Fatal(err)
	}
	if n, err := c.Read(make([]byte, 10)); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("read %d, %v, want the end", n, err)
	}
}

func TestDeadlinesAndClose(t *testing.T) {
	c := dial(t, serve(t, func(q *quic.Conn) { <-q.Context().Done() }))
	_ = c.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("read: %v", err)
	}
	_ = c.SetReadDeadline(time.Time{})
	var out []byte
	for i := range uint64(3) { // the server takes two
		out = quicconn.Piece{Kind: quicconn.Request, Stream: i}.Append(out)
	}
	_ = c.SetWriteDeadline(time.Now().Add(20 * time.Millisecond))
	if _, err := c.Write(out); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("write: %v", err)
	}
	if _, err := c.Write([]byte("no piece")); err == nil {
		t.Error("wrote what is not a piece")
	}
	ended := make(chan error)
	go func() {
		for {
			if _, err := c.Read(make([]byte, 100)); err != nil {
				ended <- err
				return
			}
		}
	}()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Errorf("read after close: %v", err)
	}
	if err := c.Close(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed twice: %v", err)
	}
}

func TestNothingListens(t *testing.T) {
	udp, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	udp.Close()
	_, err = quicconn.Dial(t.Context(), net.Dialer{LocalAddr: &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}},
		udp.LocalAddr().String(), &tls.Config{NextProtos: []string{name}, ServerName: "x"})
	if !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("got %v, want connection refused", err)
	}
}

// FuzzRead: what is read as pieces is written as the same bytes.
func FuzzRead(f *testing.F) {
	f.Add(quicconn.Piece{Kind: quicconn.Last, Stream: 3, Data: []byte("x")}.Append(nil))
	f.Fuzz(func(t *testing.T, in []byte) {
		for {
			r, n := quicconn.Read(in)
			if n == 0 {
				return
			}
			if !bytes.Equal(r.Append(nil), in[:n]) {
				t.Fatalf("%x is read as %+v", in[:n], r)
			}
			in = in[n:]
		}
	})
}
