package chat

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"time"
)

// Client is one user of a chat server. It is not safe for concurrent use. After an
// error other than a *RefusedError it is of no more use.
type Client struct {
	conn   net.Conn
	in     *bufio.Reader
	out    []byte
	lastID uint32
	// heard are the broadcasts that came while an ack was waited for.
	heard []Broadcast
}

// RefusedError is a request that the server did not accept.
type RefusedError struct {
	What   string // the request
	Result Result
}

// Error says which request was refused, and why.
func (e *RefusedError) Error() string { return fmt.Sprintf("%s: %v", e.What, e.Result) }

// Dial connects to the server at addr (host:port).
func Dial(ctx context.Context, addr string) (*Client, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("dial chat server: %w", err)
	}
	return NewClient(conn), nil
}

// NewClient speaks over conn, which it owns from here on.
func NewClient(conn net.Conn) *Client {
	return &Client{conn: conn, in: bufio.NewReader(conn)}
}

// Login introduces the user. The others see nick, or name if nick is empty.
func (c *Client) Login(ctx context.Context, name, nick string) error {
	if len(name) > 255 { // the length on the wire is a byte
		return &RefusedError{"log in", BadName}
	}
	return c.do(ctx, "log in", func(dst []byte, id uint32) []byte { return AppendLogin(dst, id, name, nick) })
}

// Join enters a room, and leaves the one that the user is in.
func (c *Client) Join(ctx context.Context, room string) error {
	if len(room) > MaxName {
		return &RefusedError{"join room", BadName}
	}
	return c.do(ctx, "join room", func(dst []byte, id uint32) []byte { return AppendJoin(dst, id, room) })
}

// Say sends a text, at most MaxText bytes, to the other members of the room. It returns
// once the server has handed the text to their connections, or to their queues.
func (c *Client) Say(ctx context.Context, text []byte) error {
	if len(text) > MaxText {
		return &RefusedError{"send message", TextTooLong}
	}
	return c.do(ctx, "send message", func(dst []byte, id uint32) []byte { return AppendMessage(dst, id, text) })
}

// Ping keeps a silent user connected.
func (c *Client) Ping(ctx context.Context) error { return c.do(ctx, "ping", AppendPing) }

// Next returns the next message of another member, or waits for one. Messages wait in
// the client's memory if they come while another method waits for its ack: a client
// that only sends has to call Next or Heard now and then.
func (c *Client) Next(ctx context.Context) (Broadcast, error) {
	defer c.bound(ctx)()
	if len(c.heard) > 0 {
		b := c.heard[0]
		c.heard = c.heard[1:]
		return b, nil
	}
	p, err := readPacket(c.in)
	if err != nil {
		return Broadcast{}, c.fault(ctx, "read broadcast", err)
	}
	return DecodeBroadcast(*p)
}

// Heard returns the messages that wait for Next, and forgets them.
func (c *Client) Heard() []Broadcast {
	heard := c.heard
	c.heard = nil
	return heard
}

// Close closes the connection.
func (c *Client) Close() error { return c.conn.Close() }

// do sends a request and waits for its ack.
func (c *Client) do(ctx context.Context, what string, request func([]byte, uint32) []byte) error {
	defer c.bound(ctx)()
	c.lastID++
	c.out = request(c.out[:0], c.lastID)
	if _, err := c.conn.Write(c.out); err != nil {
		return c.fault(ctx, what, err)
	}
	for {
		p, err := readPacket(c.in)
		if err != nil {
			return c.fault(ctx, what, err)
		}
		if p.Command == CommandBroadcast {
			b, err := DecodeBroadcast(*p)
			if err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			c.heard = append(c.heard, b)
			continue
		}
		if p.Command != CommandAck || p.ID != c.lastID || len(p.Body) != 1 {
			return fmt.Errorf("%s: answer is command 0x%02x, id %d, %d bytes, want 0x%02x, %d, 1",
				what, byte(p.Command), p.ID, len(p.Body), byte(CommandAck), c.lastID)
		}
		if r := Result(p.Body[0]); r != Accepted {
			return &RefusedError{what, r}
		}
		return nil
	}
}

// bound makes a ctx that ends interrupt the exchange, by a deadline that has passed,
// until the function it returns is called.
func (c *Client) bound(ctx context.Context) (release func() bool) {
	return context.AfterFunc(ctx, func() { c.conn.SetDeadline(time.Unix(1, 0)) })
}

// fault wraps err, or what ended ctx if that is what interrupted the exchange.
func (c *Client) fault(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return fmt.Errorf("%s: %w", what, err)
}
