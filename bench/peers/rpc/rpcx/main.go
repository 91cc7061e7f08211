// Command rpcx is github.com/smallnest/rpcx with msgpack as server and client (see
// package caller).
package main

import (
	"context"

	"github.com/smallnest/rpcx/client"
	"github.com/smallnest/rpcx/protocol"
	"github.com/smallnest/rpcx/server"

	"github.com/gohone/hone/bench/peers/rpc/caller"
)

func main() {
	caller.Main(caller.Framework{Name: "rpcx", Serve: serve, Dial: caller.Shared(connect, call)})
}

// Greeter is the service.
type Greeter struct{}

// SayHello is its method.
func (*Greeter) SayHello(_ context.Context, _ *caller.Message, reply *caller.Message) error {
	reply.Msg = caller.Reply
	return nil
}

func serve(addr string) error {
	s := server.NewServer()
	if err := s.Register(new(Greeter), ""); err != nil {
		return err
	}
	return s.Serve("tcp", addr)
}

func connect(addr string) (*client.Client, error) {
	option := client.DefaultOption
	option.SerializeType = protocol.MsgPack
	c := client.NewClient(option)
	return c, c.Connect("tcp", addr)
}

var request = &caller.Message{Msg: caller.Request}

func call(c *client.Client) (string, error) {
	var reply caller.Message
	err := c.Call(context.Background(), "Greeter", "SayHello", request, &reply)
	return reply.Msg, err
}
