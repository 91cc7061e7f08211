package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// httpCheck finds out, once, whether an address speaks HTTP/1. A request would tell as well,
// but it can harm a service of another protocol: one that reads a length first takes "GET "
// for 1.2 GB, and a service that makes room for what is announced does so for each request.
type httpCheck struct {
	hostPort string
	turn     chan struct{} // holds a token while no source asks
	asked    bool
	verdict  error // nil: it speaks HTTP
}

// httpQuestion is a line that is not a request, which servers of HTTP/1 answer with status 400
// (net/http and fasthttp were tried). It is shorter than a length field of 4 bytes, and as
// one of 2 bytes it stands for 30 kB.
const httpQuestion = "x\n"

// httpAnswer begins every answer of HTTP/1.
const httpAnswer = "HTTP/"

func newHTTPCheck(hostPort string) *httpCheck {
	c := &httpCheck{hostPort: hostPort, turn: make(chan struct{}, 1)}
	c.turn <- struct{}{}
	return c
}

// speaks returns nil for an address that speaks HTTP, and a refusal for another one. Where
// no program listens, which is unreachable, or ctx is cancelled, nothing was asked yet.
func (c *httpCheck) speaks(ctx context.Context) error {
	select {
	case <-c.turn:
		defer func() { c.turn <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if c.asked {
		return c.verdict
	}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.hostPort)
	if err != nil {
		return dialFault(err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })()
	answer := make([]byte, len(httpAnswer))
	if _, err = io.WriteString(conn, httpQuestion); err == nil {
		_, err = io.ReadFull(conn, answer)
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	c.asked = true
	if err != nil || string(answer) != httpAnswer {
		c.verdict = refusal{fmt.Errorf("%s does not answer as HTTP/1 does, so hone sends no requests: name the pages with "+
			"--pprof and --metrics, or write http://%s (https://%s) if it is HTTP",
			c.hostPort, c.hostPort, c.hostPort)}
	}
	return c.verdict
}
