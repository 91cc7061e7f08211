//go:build grpc

package serving

var protocols = []*protocol{overHTTP, overHTTP2, overTCP, overGRPC}
