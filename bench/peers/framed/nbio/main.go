// Command nbio serves the framed protocol on github.com/lesismal/nbio, with its own
// choice of pollers. It ends when it is killed.
package main

import (
	"github.com/lesismal/nbio"
	"github.com/lesismal/nbio/logging"

	"github.com/gohone/hone/bench/peers/framed/wire"
	"github.com/gohone/hone/bench/peers/serve"
)

func main() { serve.Main("nbio", "127.0.0.1:8888", run) }

func run(addr string) error {
	logging.SetLevel(logging.LevelNone)
	engine := nbio.NewEngine(nbio.Config{Network: "tcp", Addrs: []string{addr}})
	engine.OnOpen(func(c *nbio.Conn) { c.SetSession(&session{}) })
	engine.OnData(answer)
	if err := engine.Start(); err != nil {
		return err
	}
	select {} // until killed
}

// session is what a connection keeps: a frame that came in part, and a buffer.
type session struct{ part, answers []byte }

// answer takes what was read; data is the poller's own buffer.
func answer(c *nbio.Conn, data []byte) {
	s := c.Session().(*session)
	if len(s.part) > 0 {
		s.part = append(s.part, data...)
		data = s.part
	}
	var used int
	var bad error
	s.answers, used, bad = wire.Answer(s.answers[:0], data)
	if used > 0 {
		if _, err := c.Write(s.answers); err != nil {
			c.Close()
			return
		}
	}
	if bad != nil {
		c.Close()
		return
	}
	s.part = append(s.part[:0], data[used:]...)
}
