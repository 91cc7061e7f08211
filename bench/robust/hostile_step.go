package robust

import (
	"crypto/tls"
	"io"
	"net"
	"time"
)

// step is a part of what a server does with a connection. It says whether the connection
// lives and another step may follow.
type step func(*guest) bool

// take takes steps one after the other, as long as the connection lives.
func (g *guest) take(steps []step) bool {
	for _, s := range steps {
		if !s(g) {
			return false
		}
	}
	return true
}

// forever takes steps again and again.
func forever(steps ...step) step {
	return func(g *guest) bool {
		for g.take(steps) {
		}
		return false
	}
}

// hear reads what is there, at least a byte.
func hear(g *guest) bool {
	_, err := g.Read(make([]byte, 64<<10))
	return err == nil
}

// request reads one request of HTTP/1.1 without a body, byte by byte so that it takes no
// more.
func request(g *guest) bool {
	const most = 64 << 10
	end := 0
	for range most {
		var b [1]byte
		if _, err := io.ReadFull(g.Conn, b[:]); err != nil {
			return false
		}
		switch {
		case b[0] == '\n':
			end++
		case b[0] != '\r':
			end = 0
		}
		if end == 2 {
			return true
		}
	}
	return false // its head is too long
}

// right counts what the next step says as a right answer.
func right(g *guest) bool {
	g.right.Add(1)
	return true
}

// says writes text.
func says(text string) step { return func(g *guest) bool { return g.say([]byte(text)) } }

// drips writes a byte a second, and then holds.
func drips(data func(*guest) []byte) step {
	return func(g *guest) bool {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for _, b := range data(g) {
			if !g.say([]byte{b}) {
				return false
			}
			select {
			case <-tick.C:
			case <-g.ctx.Done():
				return false
			}
		}
		return hold(g)
	}
}

// hold reads on and answers nothing, until the other side ends.
func hold(g *guest) bool {
	_, _ = io.Copy(io.Discard, g.Conn)
	return false
}

// freeze does nothing, until the server ends.
func freeze(g *guest) bool {
	<-g.ctx.Done()
	return false
}

// reset ends the connection by RST instead of FIN.
func reset(g *guest) bool {
	c := g.Conn
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetLinger(0) // then Close resets
		_ = t.Close()
	}
	return false
}
