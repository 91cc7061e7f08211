package serving

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync"
)

// overTCP is frames of a length in four bytes, big-endian, and so many bytes: each request is
// answered by a frame, in order. Every connection has a goroutine.
var overTCP = &protocol{"tcp", serveTCP}

// longestFrame bounds what a client can make a connection hold, in bytes.
const longestFrame = 64 << 10

func serveTCP(ctx context.Context, ln net.Listener, h func(context.Context) error) error {
	var open connections
	defer open.wait()
	defer context.AfterFunc(ctx, func() {
		ln.Close()
		open.close()
	})()
	for {
		conn, err := ln.Accept()
		if ctx.Err() != nil {
			if err == nil {
				conn.Close()
			}
			return nil
		}
		if err != nil {
			return err
		}
		open.start(conn, func() { serveConn(ctx, conn, h) })
	}
}

// serveConn answers the frames of one connection until it ends.
func serveConn(ctx context.Context, conn net.Conn, h func(context.Context) error) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		if err := readFrame(in); err != nil {
			return
		}
		text := "done\n"
		if err := h(ctx); err != nil {
			text = err.Error()
		}
		answer := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
		if _, err := conn.Write(append(answer, text...)); err != nil {
			return
		}
	}
}

// readFrame reads one frame, whose contents say nothing to these services.
func readFrame(in *bufio.Reader) error {
	var head [4]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return err
	}
	length := binary.BigEndian.Uint32(head[:])
	if length > longestFrame {
		return fmt.Errorf("frame of %d bytes: %d are allowed", length, longestFrame)
	}
	_, err := in.Discard(int(length))
	return err
}

// connections are those that are open, each with its goroutine.
type connections struct {
	mu     sync.Mutex
	open   map[net.Conn]bool
	closed bool
	work   sync.WaitGroup
}

// start serves a connection on a goroutine of its own, which ends when serve does.
func (c *connections) start(conn net.Conn, serve func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		conn.Close()
		return
	}
	if c.open == nil {
		c.open = map[net.Conn]bool{}
	}
	c.open[conn] = true
	c.work.Go(func() {
		serve()
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.open, conn)
	})
}

func (c *connections) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for conn := range c.open {
		conn.Close() // its goroutine sees it and ends
	}
}

func (c *connections) wait() { c.work.Wait() }
