package nullserver

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"
)

// startPortable serves each connection by a goroutine, over any listener, until stop.
func startPortable(l net.Listener, r Reply) (stop func() error) {
	ctx, end := context.WithCancel(context.Background())
	context.AfterFunc(ctx, func() { l.Close() })
	done := make(chan error, 1)
	// Ends when stop has the listener closed, and its connections with it.
	go func() {
		var conns sync.WaitGroup
		err := accept(ctx, l, func(c net.Conn) { conns.Go(func() { answer(ctx, c, newSpeaker(r)) }) })
		end()
		conns.Wait()
		done <- err
	}()
	return func() error {
		end()
		return <-done
	}
}

// busy is how long accepting pauses when the system has no more to give: net/http's
// longest pause.
const busy = time.Second

// accept hands over connections until the end of ctx or an error.
func accept(ctx context.Context, l net.Listener, adopt func(net.Conn)) error {
	for {
		c, err := l.Accept()
		switch {
		case err == nil:
			adopt(c)
		case ctx.Err() != nil:
			return nil
		case !exhausted(err):
			return fmt.Errorf("accept connection: %w", err)
		default:
			select {
			case <-time.After(busy):
			case <-ctx.Done():
			}
		}
	}
}

// answer answers on c until its end or that of ctx.
func answer(ctx context.Context, c net.Conn, s speaker) {
	defer c.Close()
	defer context.AfterFunc(ctx, func() { c.Close() })()
	in, out := make([]byte, readSize), []byte(nil)
	have := 0
	for {
		n, err := c.Read(in[have:])
		var used int
		var last bool
		out, used, last = s.answer(out[:0], in[:have+n])
		have = copy(in, in[used:have+n])
		if len(out) > 0 {
			if _, err := c.Write(out); err != nil {
				return
			}
		}
		if last {
			linger(c, in)
			return
		}
		if err != nil {
			return
		}
	}
}

// linger ends a connection so that its peer gets the last answer: closing a socket
// with bytes unread resets it, and a reset overtakes the answer.
func linger(c net.Conn, buf []byte) {
	half, ok := c.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return
	}
	for {
		if _, err := c.Read(buf); err != nil {
			return
		}
	}
}
