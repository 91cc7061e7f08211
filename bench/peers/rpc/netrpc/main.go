// Command netrpc is the standard library's net/rpc with its own encoding, gob, as server
// and client (see package caller).
package main

import (
	"net"
	"net/rpc"

	"github.com/gohone/hone/bench/peers/rpc/caller"
)

func main() {
	caller.Main(caller.Framework{Name: "netrpc", Serve: serve, Dial: caller.Shared(connect, call)})
}

// Greeter is the service.
type Greeter struct{}

// SayHello is its method.
func (Greeter) SayHello(_ *caller.Message, reply *caller.Message) error {
	reply.Msg = caller.Reply
	return nil
}

func serve(addr string) error {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	s := rpc.NewServer()
	if err := s.Register(Greeter{}); err != nil {
		return err
	}
	for {
		c, err := ln.Accept()
		if err != nil {
			return err
		}
		go s.ServeConn(c) // ends with the connection
	}
}

func connect(addr string) (*rpc.Client, error) { return rpc.Dial("tcp", addr) }

var request = &caller.Message{Msg: caller.Request}

func call(c *rpc.Client) (string, error) {
	var reply caller.Message
	err := c.Call("Greeter.SayHello", request, &reply)
	return reply.Msg, err
}
