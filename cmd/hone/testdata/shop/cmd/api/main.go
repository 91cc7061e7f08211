// Command api is the gRPC service of docs/examples.md: health checks, reflection, and a log line for each call.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:50051", "address to listen on")
	lines := flag.Bool("lines", true, "make a line for each call")
	flag.Parse()
	var options []grpc.ServerOption
	if *lines {
		options = append(options, grpc.UnaryInterceptor(logged))
	}
	s := grpc.NewServer(options...)
	h := health.NewServer()
	h.SetServingStatus("shop", grpc_health_v1.HealthCheckResponse_SERVING)
	grpc_health_v1.RegisterHealthServer(s, h)
	reflection.Register(s)
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(s.Serve(l))
}

// logged makes a line for each call, and throws it away.
func logged(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	begin := time.Now()
	answer, err := handle(ctx, request)
	fmt.Fprintf(io.Discard, "%s %+v %+v %v %s\n", info.FullMethod, request, answer, err, time.Since(begin))
	return answer, err
}
