// Command gnet serves the framed protocol on github.com/panjf2000/gnet, one event loop
// for each CPU that it may use. It ends when it is killed.
package main

import (
	"github.com/panjf2000/gnet/v2"

	"github.com/gohone/hone/bench/peers/framed/wire"
	"github.com/gohone/hone/bench/peers/serve"
)

func main() {
	serve.Main("gnet", "127.0.0.1:8888", func(addr string) error {
		return gnet.Run(&server{}, "tcp://"+addr, gnet.WithMulticore(true))
	})
}

type server struct{ gnet.BuiltinEventEngine }

// answers is a connection's buffer: Write takes what it cannot send at once into
// buffers of its own.
type answers struct{ b []byte }

// OnOpen implements gnet.EventHandler.
func (*server) OnOpen(c gnet.Conn) ([]byte, gnet.Action) {
	c.SetContext(&answers{})
	return nil, gnet.None
}

// OnTraffic implements gnet.EventHandler.
func (*server) OnTraffic(c gnet.Conn) gnet.Action {
	all, err := c.Peek(-1)
	if err != nil {
		return gnet.Close
	}
	a := c.Context().(*answers)
	var used int
	var bad error
	a.b, used, bad = wire.Answer(a.b[:0], all)
	if used > 0 { // Discard(0) discards everything
		if _, err := c.Discard(used); err != nil {
			return gnet.Close
		}
		if _, err := c.Write(a.b); err != nil {
			return gnet.Close
		}
	}
	if bad != nil {
		return gnet.Close
	}
	return gnet.None
}
