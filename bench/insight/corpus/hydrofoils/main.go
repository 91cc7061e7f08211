// Command hydrofoils reserves places on hydrofoils over gRPC and asks the shipping company, again over gRPC, for each.
package main

import (
	"context"
	"log"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"

	"corpus/truth"
)

type reserver interface {
	Reserve(context.Context, *emptypb.Empty) (*emptypb.Empty, error)
}

// describe is the description of a service with the method Reserve.
func describe(name string) *grpc.ServiceDesc {
	return &grpc.ServiceDesc{
		ServiceName: name,
		HandlerType: (*reserver)(nil),
		Methods: []grpc.MethodDesc{{MethodName: "Reserve", Handler: func(s any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			in := &emptypb.Empty{}
			if err := decode(in); err != nil {
				return nil, err
			}
			return s.(reserver).Reserve(ctx, in)
		}}},
	}
}

func serve(addr, name string, s reserver) (*grpc.Server, net.Addr, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, nil, err
	}
	g := grpc.NewServer()
	g.RegisterService(describe(name), s)
	go g.Serve(l)
	return g, l.Addr(), nil
}

func main() {
	_, company, err := serve("127.0.0.1:0", "shipping.Company", &company{})
	if err != nil {
		log.Fatal(err)
	}
	line, err := grpc.NewClient(company.String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	g, _, err := serve("127.0.0.1:"+os.Getenv("PORT"), "hydrofoils.Desk", &desk{company: line, sailings: plan(time.Now())})
	if err != nil {
		log.Fatal(err)
	}
	sig := make(chan os.Signal, 1)
	signal.Notify(sig, syscall.SIGTERM)
	<-sig
	time.AfterFunc(400*time.Millisecond, g.Stop)
	g.GracefulStop()
	if err := truth.Save(); err != nil {
		log.Print(err)
	}
}
