// Command grpc is google.golang.org/grpc as server and client (see package caller).
package main

import (
	"context"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	pb "google.golang.org/grpc/examples/helloworld/helloworld"

	"github.com/gohone/hone/bench/peers/rpc/caller"
)

func main() {
	caller.Main(caller.Framework{Name: "grpc", Serve: serve, Dial: caller.Shared(connect, call)})
}

type greeter struct{ pb.UnimplementedGreeterServer }

// SayHello implements pb.GreeterServer.
func (greeter) SayHello(context.Context, *pb.HelloRequest) (*pb.HelloReply, error) {
	return &pb.HelloReply{Message: caller.Reply}, nil
}

func serve(addr string) error {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	s := grpc.NewServer()
	pb.RegisterGreeterServer(s, greeter{})
	return s.Serve(ln)
}

func connect(addr string) (pb.GreeterClient, error) {
	c, err := grpc.NewClient("passthrough:///"+addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	return pb.NewGreeterClient(c), err
}

var request = &pb.HelloRequest{Name: caller.Request}

func call(c pb.GreeterClient) (string, error) {
	reply, err := c.SayHello(context.Background(), request)
	return reply.GetMessage(), err
}
