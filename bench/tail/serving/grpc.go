//go:build grpc

package serving

import (
	"context"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

// overGRPC is the unary call /tail.Service/Do of an empty message, answered by one, as grpc-go serves it.
var overGRPC = &protocol{"grpc", serveGRPC}

// caller is a service of grpc-go.
type caller interface {
	Do(ctx context.Context) error
}

type call func(context.Context) error

// Do implements caller.
func (c call) Do(ctx context.Context) error { return c(ctx) }

var _ caller = call(nil)

// description is what protoc would generate for the service.
var description = grpc.ServiceDesc{
	ServiceName: "tail.Service",
	HandlerType: (*caller)(nil),
	Methods:     []grpc.MethodDesc{{MethodName: "Do", Handler: do}},
}

func do(service any, ctx context.Context, read func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
	if err := read(new(emptypb.Empty)); err != nil {
		return nil, err
	}
	if err := service.(caller).Do(ctx); err != nil {
		return nil, err
	}
	return new(emptypb.Empty), nil
}

func serveGRPC(ctx context.Context, ln net.Listener, h func(context.Context) error) error {
	s := grpc.NewServer()
	s.RegisterService(&description, call(h))
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ln) }() // ends when the server is stopped below
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	defer time.AfterFunc(leave, s.Stop).Stop()
	s.GracefulStop()
	return <-ended
}
