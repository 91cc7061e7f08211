// Package http2 speaks HTTP/2 (RFC 9113) with header blocks of RFC 7541, and calls of gRPC over it (files grpc*.go;
// "gRPC over HTTP2" in the repository grpc/grpc).
//
// dialog.go is one connection, streams.go its streams, read.go what comes. The server is told to use no dynamic table,
// so that a block means the same whatever came before.
package http2
