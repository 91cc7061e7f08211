// Command drpc is storj.io/drpc as server and client (see package caller). A connection of
// drpc carries one call at a time: to have -concurrency calls under way it takes as many
// -conns.
package main

import (
	"context"
	"fmt"
	"net"

	pb "google.golang.org/grpc/examples/helloworld/helloworld"
	"google.golang.org/protobuf/proto"
	"storj.io/drpc"
	"storj.io/drpc/drpcconn"
	"storj.io/drpc/drpcmux"
	"storj.io/drpc/drpcserver"

	"github.com/gohone/hone/bench/peers/rpc/caller"
)

func main() {
	caller.Main(caller.Framework{Name: "drpc", Serve: serve, Dial: caller.Shared(connect, call)})
}

const method = "/helloworld.Greeter/SayHello"

// encoding is protobuf, and appends to drpc's own buffer.
type encoding struct{}

// Marshal implements drpc.Encoding.
func (e encoding) Marshal(m drpc.Message) ([]byte, error) { return e.MarshalAppend(nil, m) }

// MarshalAppend is used instead of Marshal where there is one.
func (encoding) MarshalAppend(b []byte, m drpc.Message) ([]byte, error) {
	message, ok := m.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("encode %T: not a protobuf message", m)
	}
	return proto.MarshalOptions{}.MarshalAppend(b, message)
}

// Unmarshal implements drpc.Encoding.
func (encoding) Unmarshal(b []byte, m drpc.Message) error {
	message, ok := m.(proto.Message)
	if !ok {
		return fmt.Errorf("decode %T: not a protobuf message", m)
	}
	return proto.Unmarshal(b, message)
}

type greeter struct{}

// SayHello is the service's method.
func (greeter) SayHello(context.Context, *pb.HelloRequest) (*pb.HelloReply, error) {
	return &pb.HelloReply{Message: caller.Reply}, nil
}

// description stands for what drpc's generator would write.
type description struct{}

// NumMethods implements drpc.Description.
func (description) NumMethods() int { return 1 }

// Method implements drpc.Description.
func (description) Method(n int) (string, drpc.Encoding, drpc.Receiver, any, bool) {
	if n != 0 {
		return "", nil, nil, nil, false
	}
	return method, encoding{}, receive, greeter.SayHello, true
}

func receive(service any, ctx context.Context, request, _ any) (drpc.Message, error) {
	return service.(greeter).SayHello(ctx, request.(*pb.HelloRequest))
}

func serve(addr string) error {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	mux := drpcmux.New()
	if err := mux.Register(greeter{}, description{}); err != nil {
		return err
	}
	return drpcserver.New(mux).Serve(context.Background(), ln)
}

func connect(addr string) (*drpcconn.Conn, error) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return drpcconn.New(c), nil
}

var request = &pb.HelloRequest{Name: caller.Request}

func call(c *drpcconn.Conn) (string, error) {
	var reply pb.HelloReply
	err := c.Invoke(context.Background(), method, encoding{}, request, &reply)
	return reply.Message, err
}
