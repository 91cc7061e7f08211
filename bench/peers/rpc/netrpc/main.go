// Command netrpc is the standard library's net/rpc with its own encoding, gob, as server
// and client (see package caller).
package main

import (
	"net"
	"net/rpc"

	"github.com/gohone/hone/bench/peers/rpc/caller"
)

func main() { caller.Main(caller.Framework{Name: "netrpc", Serve: serve, Dial: dial}) }

// Request is the argument of SayHello.
type Request struct{ Msg string }

// Reply is what SayHello returns.
type Reply struct{ Msg string }

// Greeter is the service.
type Greeter struct{}

// SayHello is its method.
func (Greeter) SayHello(_ *Request, reply *Reply) error {
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

func dial(addr string, conns int) (func(int) (string, error), error) {
	all, err := caller.DialEach(conns, func() (*rpc.Client, error) { return rpc.Dial("tcp", addr) })
	if err != nil {
		return nil, err
	}
	request := &Request{Msg: caller.Request}
	return func(i int) (string, error) {
		var reply Reply
		err := all[i%len(all)].Call("Greeter.SayHello", request, &reply)
		return reply.Msg, err
	}, nil
}
