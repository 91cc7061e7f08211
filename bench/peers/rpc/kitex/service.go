package main

import (
	"context"
	"fmt"

	"github.com/cloudwego/kitex/pkg/serviceinfo"
	"github.com/cloudwego/prutal"
)

// This file stands for what kitex's generator would write: the messages with prutal, the
// encoder that it uses, and one unary method.

// HelloRequest is the argument of SayHello.
type HelloRequest struct {
	Name string `protobuf:"bytes,1,opt,name=name"`
}

// HelloReply is what SayHello returns.
type HelloReply struct {
	Message string `protobuf:"bytes,1,opt,name=message"`
}

const method = "SayHello"

type greeter interface {
	SayHello(context.Context, *HelloRequest) (*HelloReply, error)
}

func serviceInfo() *serviceinfo.ServiceInfo {
	return &serviceinfo.ServiceInfo{
		ServiceName:  "Greeter",
		HandlerType:  (*greeter)(nil),
		PayloadCodec: serviceinfo.Protobuf,
		Methods: map[string]serviceinfo.MethodInfo{
			method: serviceinfo.NewMethodInfo(sayHello,
				func() any { return &helloArgs{} }, func() any { return &helloResult{} },
				false, serviceinfo.WithStreamingMode(serviceinfo.StreamingUnary)),
		},
		Extra: map[string]any{"PackageName": "helloworld"},
	}
}

func sayHello(ctx context.Context, handler, arg, result any) error {
	args, ok := arg.(*helloArgs)
	if !ok {
		return fmt.Errorf("argument of %s is a %T", method, arg)
	}
	reply, err := handler.(greeter).SayHello(ctx, args.message)
	if err != nil {
		return err
	}
	result.(*helloResult).message = reply
	return nil
}

// body is a message in the form in which kitex wants arguments and results.
type body[M any] struct{ message *M }

// Marshal implements kitex's codec of protobuf messages.
func (b *body[M]) Marshal(dst []byte) ([]byte, error) { return prutal.MarshalAppend(dst, b.message) }

// Unmarshal implements it too.
func (b *body[M]) Unmarshal(text []byte) error {
	b.message = new(M)
	return prutal.Unmarshal(text, b.message)
}

type helloArgs struct{ body[HelloRequest] }

// GetFirstArgument implements utils.KitexArgs.
func (a *helloArgs) GetFirstArgument() any { return a.message }

type helloResult struct{ body[HelloReply] }

// GetResult implements utils.KitexResult.
func (r *helloResult) GetResult() any { return r.message }

// SetSuccess implements utils.KitexResult.
func (r *helloResult) SetSuccess(reply any) { r.message, _ = reply.(*HelloReply) }
