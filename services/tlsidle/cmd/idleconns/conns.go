package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gohone/hone/services/tlsidle"
)

const (
	dialers = 16               // handshakes at a time
	senders = 64               // requests at a time
	patient = 10 * time.Second // for a handshake or an answer
)

// fleet is a number of open connections.
type fleet struct {
	plan    plan
	request []byte
	want    []byte // the right body; nil if only its length is known
	conns   []*conn
}

// conn is one connection, and has one request at a time.
type conn struct {
	mu sync.Mutex
	*tls.Conn
	broken bool // a request failed: what may still come is no answer to the next
}

// open opens n connections and sends a request on each; either all are there or it is
// an error.
func open(ctx context.Context, p plan, n int) (*fleet, Tally, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	f := &fleet{
		plan:    p,
		request: fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", p.Path, p.Addr),
		conns:   make([]*conn, n),
	}
	if p.Body == 0 {
		f.want = tlsidle.Document()
	}
	dialer := &tls.Dialer{
		NetDialer: &net.Dialer{Timeout: patient},
		Config: &tls.Config{
			InsecureSkipVerify: true, // servers of one's own
			NextProtos:         []string{"http/1.1"},
		},
	}
	first := tallying{Tally: Tally{Due: n, Sent: n}}
	var wg sync.WaitGroup
	for w := range min(dialers, n) {
		wg.Go(func() {
			for i := w; i < n && ctx.Err() == nil; i += dialers {
				c, err := dialer.DialContext(ctx, "tcp", p.Addr)
				if err != nil {
					cancel(fmt.Errorf("open connection %d: %w", i, err))
					return
				}
				f.conns[i] = &conn{Conn: c.(*tls.Conn)}
				first.add(f.ask(f.conns[i])) // at once: a server may close one that is never used
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		f.close()
		return nil, Tally{}, err
	}
	return f, first.Tally, nil
}

// close closes the connections that there are.
func (f *fleet) close() {
	for _, c := range f.conns {
		if c != nil {
			c.Close()
		}
	}
}

// send sends requests at the plan's rate, for the plan's time, on one connection after
// the other.
func (f *fleet) send(ctx context.Context) Tally {
	due := int(f.plan.RateHz * f.plan.For.Seconds())
	if due == 0 {
		return Tally{}
	}
	return f.spread(ctx, due, time.Now(), time.Duration(float64(time.Second)/f.plan.RateHz))
}

// spread has request i sent at begin + i * every.
func (f *fleet) spread(ctx context.Context, due int, begin time.Time, every time.Duration) Tally {
	t := tallying{Tally: Tally{Due: due}}
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(senders, due) {
		wg.Go(func() {
			for i := range next {
				t.add(f.ask(f.conns[i%len(f.conns)]))
			}
		})
	}
	late := time.After(time.Until(begin.Add(time.Duration(due)*every + patient)))
	sent := 0
feed:
	for ; sent < due; sent++ {
		time.Sleep(time.Until(begin.Add(time.Duration(sent) * every)))
		select {
		case next <- sent:
		case <-ctx.Done():
			break feed
		case <-late:
			break feed
		}
	}
	close(next)
	wg.Wait()
	t.Sent, t.Unsent = sent, due-sent
	return t.Tally
}

// tallying is a Tally that several fill.
type tallying struct {
	mu sync.Mutex
	Tally
}

func (t *tallying) add(wrong bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case err == nil:
		t.Right++
		return
	case wrong:
		t.Wrong++
	default:
		t.Failed++
	}
	if t.FirstFault == "" {
		t.FirstFault = err.Error()
	}
}

// ask sends one request and reads its answer; wrong says that there was one.
func (f *fleet) ask(c *conn) (wrong bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken {
		return false, fmt.Errorf("connection was lost before")
	}
	defer func() { c.broken = err != nil }()
	if err := c.SetDeadline(time.Now().Add(patient)); err != nil {
		return false, fmt.Errorf("set deadline: %w", err)
	}
	if _, err := c.Write(f.request); err != nil {
		return false, fmt.Errorf("send request: %w", err)
	}
	r := bufio.NewReaderSize(c, 4096)
	answer, err := http.ReadResponse(r, nil)
	if err != nil {
		return false, fmt.Errorf("read answer: %w", err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	switch {
	case err != nil:
		return false, fmt.Errorf("read answer: %w", err)
	case answer.StatusCode != http.StatusOK:
		return true, fmt.Errorf("status is %s", answer.Status)
	case f.want == nil && len(body) != f.plan.Body:
		return true, fmt.Errorf("body has %d bytes, want %d", len(body), f.plan.Body)
	case f.want != nil && !bytes.Equal(body, f.want):
		return true, fmt.Errorf("body of %d bytes is not tlsidle's document", len(body))
	case r.Buffered() > 0:
		return true, fmt.Errorf("%d bytes follow the answer", r.Buffered())
	}
	return false, nil
}
