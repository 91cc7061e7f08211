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
	reply, err := handler.(greeter).SayHello(ctx, args.Request)
	if err != nil {
		return err
	}
	result.(*helloResult).Reply = reply
	return nil
}

// helloArgs is the form in which kitex wants arguments.
type helloArgs struct{ Request *HelloRequest }

// Marshal implements kitex's codec of protobuf messages.
func (a *helloArgs) Marshal(dst []byte) ([]byte, error) { return prutal.MarshalAppend(dst, a.Request) }

// Unmarshal implements it too.
func (a *helloArgs) Unmarshal(b []byte) error {
	a.Request = new(HelloRequest)
	return prutal.Unmarshal(b, a.Request)
}

// GetFirstArgument implements utils.KitexArgs.
func (a *helloArgs) GetFirstArgument() any { return a.Request }

// helloResult is the form in which kitex wants results.
type helloResult struct{ Reply *HelloReply }

// Marshal implements kitex's codec of protobuf messages.
func (r *helloResult) Marshal(dst []byte) ([]byte, error) { return prutal.MarshalAppend(dst, r.Reply) }

// Unmarshal implements it too.
func (r *helloResult) Unmarshal(b []byte) error {
	r.Reply = new(HelloReply)
	return prutal.Unmarshal(b, r.Reply)
}

// GetResult implements utils.KitexResult.
func (r *helloResult) GetResult() any { return r.Reply }

// SetSuccess implements utils.KitexResult.
func (r *helloResult) SetSuccess(reply any) { r.Reply, _ = reply.(*HelloReply) }
