// Package rpc is a reference service: a remote procedure call framework, server and
// client, built three times over. Each stage speaks the same bytes and differs from the
// one before it in one idea, so that the stages, read in order, are a ladder of what a
// change in such a framework is worth:
//
//	naive      naive.go      a connection per caller, one write per field, fresh buffers
//	pooled     pooled.go     pooled connections and buffers, one write per frame
//	pipelined  pipelined.go  few connections, many calls outstanding, one write per batch
//
// A client of any stage talks to a server of any stage. README.md has the wire format
// and the model of concurrency.
//
// A server takes services by reflection (RegisterService), typed functions (Register)
// and typed functions that are fast and never block (RegisterInline). A Client is safe
// for concurrent use.
package rpc
