// Command ttrpc is github.com/containerd/ttrpc as server and client (see package caller).
package main

import (
	"context"
	"net"

	"github.com/containerd/ttrpc"
	pb "google.golang.org/grpc/examples/helloworld/helloworld"

	"github.com/gohone/hone/bench/peers/rpc/caller"
)

func main() { caller.Main(caller.Framework{Name: "ttrpc", Serve: serve, Dial: dial}) }

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

func dial(addr string, conns int) (func(int) (string, error), error) {
	all, err := caller.DialEach(conns, func() (*ttrpc.Client, error) {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			return nil, err
		}
		return ttrpc.NewClient(c), nil
	})
	if err != nil {
		return nil, err
	}
	request := &pb.HelloRequest{Name: caller.Request}
	return func(i int) (string, error) {
		var reply pb.HelloReply
		err := all[i%len(all)].Call(context.Background(), service, "SayHello", request, &reply)
		return reply.Message, err
	}, nil
}
