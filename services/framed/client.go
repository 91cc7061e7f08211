package framed

import (
	"context"
	"fmt"
	"io"
	"net"
	"time"
)

// Client speaks to a framed server, one request at a time. It is not safe for
// concurrent use.
type Client struct {
	conn net.Conn
	buf  []byte
}

// Dial connects to the server at addr (host:port).
func Dial(ctx context.Context, addr string) (*Client, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("dial framed server: %w", err)
	}
	return &Client{conn: conn}, nil
}

// Conn introduces the client with a conn packet and waits for its connack.
func (c *Client) Conn(ctx context.Context, id ID) error {
	return c.do(ctx, Submit{Command: CommandConn, ID: id})
}

// Submit sends payload, at most MaxPayload bytes, and waits for its answer. It fails
// if the answer is another request's or says anything but accepted; after an error
// the connection is of no more use.
func (c *Client) Submit(ctx context.Context, id ID, payload []byte) error {
	if len(payload) > MaxPayload {
		return fmt.Errorf("submit %q: payload has %d bytes, want at most %d", id, len(payload), MaxPayload)
	}
	return c.do(ctx, Submit{Command: CommandSubmit, ID: id, Payload: payload})
}

// Close closes the connection.
func (c *Client) Close() error { return c.conn.Close() }

func (c *Client) do(ctx context.Context, s Submit) error {
	// A ctx that ends interrupts the exchange by a deadline that has passed.
	stop := context.AfterFunc(ctx, func() { c.conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	c.buf = AppendRequest(c.buf[:0], s)
	if _, err := c.conn.Write(c.buf); err != nil {
		return c.fault(ctx, "send request", s.ID, err)
	}
	var b [AckSize]byte
	if _, err := io.ReadFull(c.conn, b[:]); err != nil {
		return c.fault(ctx, "read answer", s.ID, err)
	}
	got, err := DecodeAck(b[:])
	if err != nil {
		return c.fault(ctx, "read answer", s.ID, err)
	}
	if want := s.answer(); got != want {
		return fmt.Errorf("request %q: answer is command 0x%02x, id %q, result %d, want 0x%02x, %q, %d",
			s.ID, byte(got.Command), got.ID, got.Result, byte(want.Command), want.ID, want.Result)
	}
	return nil
}

// fault wraps err, or what ended ctx if that is what interrupted the exchange.
func (c *Client) fault(ctx context.Context, what string, id ID, err error) error {
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return fmt.Errorf("%s %q: %w", what, id, err)
}
