package proc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

// Server is a program that serves on an address.
type Server struct {
	*Child
	Addr string
}

// readyWithin is how long a server may take until it accepts connections.
const readyWithin = 10 * time.Second

// Serve starts a program on one CPU (below 0: on any), with -addr and a free address behind
// its arguments, and waits until it accepts connections there.
func Serve(ctx context.Context, cpu int, c Command) (*Server, error) {
	addr, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	c.Args = append(c.Args[:len(c.Args):len(c.Args)], "-addr", addr)
	child, err := Start(ctx, cpu, c)
	if err != nil {
		return nil, err
	}
	if err := child.Await(ctx, addr); err != nil {
		child.Stop()
		return nil, err
	}
	return &Server{child, addr}, nil
}

// Await waits until the program accepts a connection on an address.
func (p *Child) Await(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	var d net.Dialer
	for {
		c, err := d.DialContext(ctx, "tcp", addr)
		if err == nil {
			return c.Close()
		}
		select {
		case <-p.ended:
			return p.Fault()
		case <-ctx.Done():
			return fmt.Errorf("wait for the server: %w", errors.Join(ctx.Err(), err))
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// FreeAddress is an address of this machine on which nothing listened a moment ago.
func FreeAddress() (string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer ln.Close()
	return ln.Addr().String(), nil
}
