package chat_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/services/chat"
)

// What can never be accepted is refused without a word to the server.
func TestClientRefusesWhatDoesNotFit(t *testing.T) {
	here, there := net.Pipe()
	defer there.Close()
	c := chat.NewClient(here)
	defer c.Close()
	refused(t, c.Login(t.Context(), strings.Repeat("x", 256), ""), chat.BadName)
	refused(t, c.Join(t.Context(), strings.Repeat("x", 33)), chat.BadName)
	refused(t, c.Say(t.Context(), make([]byte, chat.MaxText+1)), chat.TextTooLong)
	want := "send message: text too long"
	if err := c.Say(t.Context(), make([]byte, chat.MaxText+1)); err.Error() != want {
		t.Errorf("error is %q, want %q", err, want)
	}
}

// A context ends a wait, for an ack and for a message.
func TestClientHeedsItsContext(t *testing.T) {
	for name, call := range map[string]func(*chat.Client, context.Context) error{
		"ping": func(c *chat.Client, ctx context.Context) error { return c.Ping(ctx) },
		"next": func(c *chat.Client, ctx context.Context) error { _, err := c.Next(ctx); return err },
	} {
		here, there := net.Pipe()
		go io.Copy(io.Discard, there) // a server that never answers; ends with the pipe
		c := chat.NewClient(here)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		if err := call(c, ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v, want the context's end", name, err)
		}
		cancel()
		c.Close()
		there.Close()
	}
}

// Answers that are none are errors, not hangs and not panics.
func TestClientReportsBadAnswers(t *testing.T) {
	for name, answer := range map[string]string{
		"ack of another request":   string(chat.AppendAck(nil, 7, chat.Accepted)),
		"another command":          string(chat.AppendPing(nil, 1)),
		"length 0":                 "\x00\x00\x00\x00",
		"negative length":          "\xff\xff\xff\xff",
		"half an ack":              string(chat.AppendAck(nil, 1, chat.Accepted)[:7]),
		"nothing":                  "",
		"broadcast without names":  "\x00\x00\x00\x09\x83\x00\x00\x00\x01",
		"broadcast without stream": "\x00\x00\x00\x0d\x83\x00\x00\x00\x01\x01a\x01b",
	} {
		here, there := net.Pipe()
		go func() { // ends with the pipe
			io.ReadFull(there, make([]byte, chat.HeaderSize))
			io.WriteString(there, answer)
			there.Close()
		}()
		c := chat.NewClient(here)
		var refusal *chat.RefusedError
		if err := c.Ping(t.Context()); err == nil || errors.As(err, &refusal) {
			t.Errorf("%s: error is %v", name, err)
		}
		c.Close()
	}
}

func TestDialNamesTheAddress(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	ln.Close()
	_, err = chat.Dial(t.Context(), ln.Addr().String())
	if err == nil || !strings.Contains(err.Error(), "dial chat server") || !strings.Contains(err.Error(), ln.Addr().String()) {
		t.Errorf("Dial: %v", err)
	}
}
