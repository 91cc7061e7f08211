// Package helloworld is the service of the published benchmark: /helloworld.Greeter/SayHello
// answers "hello" with "world".
package helloworld

import (
	"context"

	"github.com/gohone/hone/services/rpc"
)

// Path is the service path of SayHello.
const Path = "/helloworld.Greeter/SayHello"

// HelloRequest is the argument of SayHello.
type HelloRequest struct{ Msg string }

// HelloReply is what SayHello returns.
type HelloReply struct{ Msg string }

// Register serves Path, inline.
func Register(s *rpc.Server) error { return rpc.RegisterInline(s, Path, SayHello) }

// SayHello greets back: "hello" with "world", any other message with "hello, " before it.
func SayHello(_ context.Context, req *HelloRequest, reply *HelloReply) error {
	if req.Msg == "hello" {
		reply.Msg = "world"
		return nil
	}
	reply.Msg = "hello, " + req.Msg
	return nil
}

// Greeter is the same as a service for rpc.RegisterService, under the name
// helloworld.Greeter.
type Greeter struct{}

// SayHello is the function SayHello.
func (Greeter) SayHello(ctx context.Context, req *HelloRequest) (*HelloReply, error) {
	reply := new(HelloReply)
	return reply, SayHello(ctx, req, reply)
}
