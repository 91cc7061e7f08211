package cover

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
)

// client sends requests, one after the other on one connection.
type client interface {
	send(ctx context.Context, r request) error
}

// web is a client of HTTP.
type web struct {
	address string
	http.Client
}

func newWeb(address string) *web {
	return &web{address, http.Client{Transport: &http.Transport{MaxConnsPerHost: 1, DisableCompression: true}}}
}

func (c *web) send(ctx context.Context, r request) error {
	req, err := http.NewRequestWithContext(ctx, r.method, "http://"+c.address+r.text, strings.NewReader(r.body))
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", "customer/1.0")
	answer, err := c.Do(req)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode >= 400 {
		return fmt.Errorf("%s %s: %s", r.method, r.text, answer.Status)
	}
	return nil
}

// redis is a client of RESP.
type redis struct {
	address string
	conn    net.Conn
	in      *bufio.Reader
}

func (c *redis) send(ctx context.Context, r request) (err error) {
	if c.conn == nil {
		if c.conn, err = new(net.Dialer).DialContext(ctx, "tcp", c.address); err != nil {
			return err
		}
		context.AfterFunc(ctx, func() { _ = c.conn.Close() }) // it is only read and written
		c.in = bufio.NewReader(c.conn)
	}
	words := strings.Fields(r.text)
	command := fmt.Sprintf("*%d\r\n", len(words))
	for _, w := range words {
		command += fmt.Sprintf("$%d\r\n%s\r\n", len(w), w)
	}
	if _, err := io.WriteString(c.conn, command); err != nil {
		return err
	}
	return c.read()
}

// read reads an answer: a line, a bulk string, or an array of these.
func (c *redis) read() error {
	line, err := c.in.ReadString('\n')
	if err != nil {
		return err
	}
	n := 0
	switch line[0] {
	case '-':
		return fmt.Errorf("answer %q", line)
	case '$':
		if _, err = fmt.Sscanf(line, "$%d", &n); err == nil {
			_, err = c.in.Discard(n + 2)
		}
	case '*':
		if _, err = fmt.Sscanf(line, "*%d", &n); err == nil {
			for range n {
				if err = c.read(); err != nil {
					break
				}
			}
		}
	}
	return err
}
