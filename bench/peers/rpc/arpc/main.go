// Command arpc is github.com/lesismal/arpc with msgpack, handlers inline, as server and
// client (see package caller).
package main

import (
	"net"
	"time"

	"github.com/lesismal/arpc"
	"github.com/lesismal/arpc/codec"
	"github.com/lesismal/arpc/log"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/gohone/hone/bench/peers/rpc/caller"
)

func main() {
	log.SetLevel(log.LevelNone)
	codec.SetCodec(encoding{})
	caller.Main(caller.Framework{Name: "arpc", Serve: serve, Dial: caller.Shared(connect, call)})
}

const method = "/helloworld.Greeter/SayHello"

// patience is for connecting and for an answer: arpc wants a number.
const patience = 10 * time.Second

// encoding makes msgpack arpc's encoding; its own choice is JSON.
type encoding struct{}

// Marshal implements codec.Codec.
func (encoding) Marshal(v any) ([]byte, error) { return msgpack.Marshal(v) }

// Unmarshal implements codec.Codec.
func (encoding) Unmarshal(b []byte, v any) error { return msgpack.Unmarshal(b, v) }

func serve(addr string) error {
	s := arpc.NewServer()
	s.Handler.Handle(method, func(c *arpc.Context) {
		var request caller.Message
		if err := c.Bind(&request); err != nil {
			c.Error(err)
			return
		}
		c.Write(&caller.Message{Msg: caller.Reply})
	})
	return s.Run(addr)
}

func connect(addr string) (*arpc.Client, error) {
	return arpc.NewClient(func() (net.Conn, error) { return net.DialTimeout("tcp", addr, patience) })
}

var request = &caller.Message{Msg: caller.Request}

func call(c *arpc.Client) (string, error) {
	var reply caller.Message
	err := c.Call(method, request, &reply, patience)
	return reply.Msg, err
}
