//go:build !grpc

package serving

// protocols are all but gRPC, which takes a build with the tag grpc: it makes programs twice as large.
var protocols = []*protocol{overHTTP, overHTTP2, overTCP}
