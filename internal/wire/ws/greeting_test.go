package ws

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// greetedBy reads the greeting that a server writes: write sends a frame, and asks is told when the ping has come.
func greetedBy(t *testing.T, ctx context.Context, g *greeting, serve func(c net.Conn)) error {
	t.Helper()
	client, server := net.Pipe()
	defer client.Close()
	go func() { // ends with the pipe
		defer server.Close()
		serve(server)
	}()
	ended := make(chan error, 1)
	go func() { ended <- g.read(ctx, client, func(uint16) {}) }()
	select {
	case err := <-ended:
		return err
	case <-time.After(30 * time.Second):
		t.Fatal("the greeting is still being read")
		return nil
	}
}

// readPing reads hone's ping: 2 bytes of the head, 4 of the mask, 4 of the content.
func readPing(c net.Conn) { _, _ = c.Read(make([]byte, 10)) }

// A flood instead of a greeting ends with ctx, and a close says why.
func TestGreetingsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := greetedBy(t, ctx, &greeting{}, func(c net.Conn) {
		readPing(c)
		for n := 0; ; n++ {
			first := byte(opContinue)
			if n == 0 {
				first = opText
			}
			if n == 100 {
				cancel()
			}
			if _, err := c.Write(serverFrame(first, nil)); err != nil {
				return
			}
		}
	})
	if err == nil {
		t.Errorf("a flood: %v", err)
	}
	var hinted *fail.Error
	err = greetedBy(t, t.Context(), &greeting{}, func(c net.Conn) {
		readPing(c)
		_, _ = c.Write(serverFrame(final|opClose, []byte{0x03, 0xf0})) // 1008
	})
	if !errors.As(err, &hinted) ||
		err.Error() != "the server closed the connection with 1008 (policy violation) before the first request" {
		t.Errorf("a close: %v", err)
	}
	if err = greetedBy(t, t.Context(), &greeting{}, func(c net.Conn) {
		readPing(c)
		_, _ = c.Write([]byte{0xff, 0xff})
	}); err == nil {
		t.Error("bytes that are not a frame are taken for a greeting")
	}
}

// A greeting from another goroutine comes after the pong: the connections after the first wait for it.
func TestGreetingsBehindThePong(t *testing.T) {
	g := &greeting{}
	pong, welcome := serverFrame(final|opPong, []byte("hone")), serverFrame(final|opText, []byte("welcome"))
	for range 2 {
		if err := greetedBy(t, t.Context(), g, func(c net.Conn) {
			readPing(c)
			_, _ = c.Write(pong)
			_, _ = c.Write(welcome)
			_, _ = c.Read(make([]byte, 1))
		}); err != nil {
			t.Fatal(err)
		}
	}
	if g.expected != 1 || g.messages != 2 || g.silent {
		t.Errorf("%d expected, %d messages, silent %v", g.expected, g.messages, g.silent)
	}
}
