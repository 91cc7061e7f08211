// Command evio serves the framed protocol on github.com/tidwall/evio, one event loop for
// each CPU that it may use. It ends when it is killed.
package main

import (
	"github.com/tidwall/evio"

	"github.com/gohone/hone/bench/peers/framed/wire"
	"github.com/gohone/hone/bench/peers/serve"
)

func main() {
	serve.Main("evio", "127.0.0.1:8888", func(addr string) error { return evio.Serve(events, "tcp://"+addr) })
}

var events = evio.Events{
	NumLoops:    -1, // one for each CPU
	LoadBalance: evio.RoundRobin,
	Opened: func(c evio.Conn) ([]byte, evio.Options, evio.Action) {
		c.SetContext(&session{})
		return nil, evio.Options{ReuseInputBuffer: true}, evio.None
	},
	Data: answer,
}

// session is what a connection keeps: a frame that came in part, and a buffer.
type session struct {
	in      evio.InputStream
	answers []byte
}

// answer takes what was read. evio reads a connection again only when what it returned
// is written, so that the buffer can be used again.
func answer(c evio.Conn, data []byte) ([]byte, evio.Action) {
	if data == nil { // woken, not read
		return nil, evio.None
	}
	s := c.Context().(*session)
	all := s.in.Begin(data)
	var used int
	var bad error
	s.answers, used, bad = wire.Answer(s.answers[:0], all)
	s.in.End(all[used:])
	if bad != nil {
		return s.answers, evio.Close
	}
	return s.answers, evio.None
}
