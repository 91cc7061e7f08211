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

func main() { caller.Main(caller.Framework{Name: "grpc", Serve: serve, Dial: dial}) }

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

func dial(addr string, conns int) (func(int) (string, error), error) {
	all, err := caller.DialEach(conns, func() (pb.GreeterClient, error) {
		c, err := grpc.NewClient("passthrough:///"+addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
		return pb.NewGreeterClient(c), err
	})
	if err != nil {
		return nil, err
	}
	request := &pb.HelloRequest{Name: caller.Request}
	return func(i int) (string, error) {
		reply, err := all[i%len(all)].SayHello(context.Background(), request)
		return reply.GetMessage(), err
	}, nil
}
