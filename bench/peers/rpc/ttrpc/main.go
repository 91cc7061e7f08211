// Command ttrpc is github.com/containerd/ttrpc as server and client (see package caller).
package main

import (
	"context"
	"net"

	"github.com/containerd/ttrpc"
	pb "google.golang.org/grpc/examples/helloworld/helloworld"

	"github.com/gohone/hone/bench/peers/rpc/caller"
)

func main() {
	caller.Main(caller.Framework{Name: "ttrpc", Serve: serve, Dial: caller.Shared(connect, call)})
}

const service = "helloworld.Greeter"

func serve(addr string) error {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	s, err := ttrpc.NewServer()
	if err != nil {
		return err
	}
	s.RegisterService(service, &ttrpc.ServiceDesc{Methods: map[string]ttrpc.Method{"SayHello": sayHello}})
	return s.Serve(context.Background(), ln)
}

func sayHello(_ context.Context, unmarshal func(any) error) (any, error) {
	var request pb.HelloRequest
	if err := unmarshal(&request); err != nil {
		return nil, err
	}
	return &pb.HelloReply{Message: caller.Reply}, nil
}

func connect(addr string) (*ttrpc.Client, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return ttrpc.NewClient(c), nil
}

var request = &pb.HelloRequest{Name: caller.Request}

func call(c *ttrpc.Client) (string, error) {
	var reply pb.HelloReply
	err := c.Call(context.Background(), service, "SayHello", request, &reply)
	return reply.Message, err
}
