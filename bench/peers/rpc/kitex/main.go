// Command kitex is github.com/cloudwego/kitex with protobuf on multiplexed connections,
// as server and client (see package caller).
package main

import (
	"context"
	"net"

	"github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/klog"
	"github.com/cloudwego/kitex/server"
	"github.com/cloudwego/kitex/transport"

	"github.com/gohone/hone/bench/peers/rpc/caller"
)

func main() {
	klog.SetLevel(klog.LevelError)
	caller.Main(caller.Framework{Name: "kitex", Serve: serve, Dial: dial})
}

type service struct{}

// SayHello implements greeter.
func (*service) SayHello(context.Context, *HelloRequest) (*HelloReply, error) {
	return &HelloReply{Message: caller.Reply}, nil
}

func serve(addr string) error {
	a, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return err
	}
	s := server.NewServer(server.WithServiceAddr(a), server.WithMuxTransport())
	if err := s.RegisterService(serviceInfo(), &service{}); err != nil {
		return err
	}
	return s.Run()
}

func dial(addr string, conns int) (func(int) (string, error), error) {
	c, err := client.NewClient(serviceInfo(),
		client.WithDestService("helloworld.Greeter"), client.WithHostPorts(addr),
		client.WithMuxConnection(conns), client.WithTransportProtocol(transport.TTHeader))
	if err != nil {
		return nil, err
	}
	request := &HelloRequest{Name: caller.Request}
	return func(int) (string, error) {
		args, result := helloArgs{body[HelloRequest]{request}}, helloResult{}
		if err := c.Call(context.Background(), method, &args, &result); err != nil {
			return "", err
		}
		return result.message.Message, nil
	}, nil
}
