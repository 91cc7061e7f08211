// Package tlsidle is a reference service: an HTTPS server for many connections of
// which few are active, built several times over. Each stage gives the same answers to
// the same requests and differs from the one before it in what an idle connection
// keeps in memory:
//
//	nethttp     nethttp.go       the standard library's server
//	heldbuffer  heldbuffer.go    own loop; a write buffer for each connection (a published problem, kept)
//	pooled      pooled.go        buffers from a sync.Pool, only while a request is served
//	parked      parked_linux.go  idle connections wait in an epoll, without a goroutine or a buffer
//
// The document that is served and the form of the answers are in answer.go, the
// reading of requests in request.go. README.md has the measured bytes per idle
// connection. On systems without epoll, parked serves as pooled does.
package tlsidle
