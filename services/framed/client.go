package framed

import (
	"context"
	"errors"
	"fmt"
	"net"
)

// Client is one connection to a framed server. It is safe for concurrent use: the
// requests of all callers go out over it one after the other, without waiting for
// answers, and as many as have gathered leave with one write. For one caller a call is
// a request and the wait for its answer.
//
// Once the connection has broken every call fails with the reason, and the Client is
// only good for Close.
type Client struct {
	pipeline
}

// Errors of calls that a caller may want to tell apart.
var (
	// ErrClientClosed means that Close was called before the answer had come.
	ErrClientClosed = errors.New("client is closed")
	// ErrRejected means that the server has answered, but with another result than
	// ResultAccepted. The connection is as good as before.
	ErrRejected = errors.New("rejected")
)

// DefaultOutstanding is the limit of a Client from Dial.
const DefaultOutstanding = 256

// Dial connects to the server at addr (host:port). ctx bounds the connecting only.
func Dial(ctx context.Context, addr string) (*Client, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("dial framed server: %w", err)
	}
	return NewClient(conn, DefaultOutstanding), nil
}

// NewClient returns a Client that speaks over conn, which is its own from here on, and
// has at most the given number of requests outstanding; further calls wait for room.
// Less than 1 means DefaultOutstanding. Requests that the server does not take are held,
// at most 64 kB for each.
func NewClient(conn net.Conn, outstanding int) *Client {
	if outstanding < 1 {
		outstanding = DefaultOutstanding
	}
	c := new(Client)
	c.start(conn, outstanding)
	return c
}

// Conn introduces the client with a conn packet and waits for its connack.
func (c *Client) Conn(ctx context.Context, id ID) error {
	if err := c.call(ctx, Submit{Command: CommandConn, ID: id}); err != nil {
		return fmt.Errorf("conn %q: %w", id, err)
	}
	return nil
}

// Submit sends payload, at most MaxPayload bytes, and waits for its answer or the end of
// ctx. It does not keep payload.
//
// A call that its ctx ends may or may not have reached the server; the connection and
// the other calls go on, but its place among those outstanding is taken until the answer
// comes. An answer that is not the one to the oldest request breaks the connection.
func (c *Client) Submit(ctx context.Context, id ID, payload []byte) error {
	if len(payload) > MaxPayload {
		return fmt.Errorf("submit %q: payload has %d bytes, want at most %d", id, len(payload), MaxPayload)
	}
	if err := c.call(ctx, Submit{Command: CommandSubmit, ID: id, Payload: payload}); err != nil {
		return fmt.Errorf("submit %q: %w", id, err)
	}
	return nil
}

// Close closes the connection. Calls that wait fail with ErrClientClosed. No goroutine
// of the Client is left when it returns. A second Close does nothing.
func (c *Client) Close() error {
	c.fail(ErrClientClosed)
	c.running.Wait()
	return nil
}
