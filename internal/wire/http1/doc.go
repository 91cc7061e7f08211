// Package http1 speaks HTTP/1.1 (RFC 9112), over TCP, TLS or a Unix socket, and sequences of steps with values taken of
// answers.
//
// reader.go cuts a stream into answers; memo.go skips it for an answer that repeats the one before, which is nearly
// always. Both allocate nothing once they are warm (BenchmarkHTTPAnswer).
package http1
