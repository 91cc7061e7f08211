// Package heapdump reads what runtime/debug.WriteHeapDump writes, record by record and with bounded memory: all objects
// of the heap with their contents and pointers, the stacks of the goroutines, the data and bss segments, finalizers and
// itabs.
//
// The format is "go1.7 heap dump" (https://go.dev/wiki/heapdump15-through-heapdump17); where the page and the runtime
// differ the runtime is right (GOROOT/src/runtime/heapdump.go). A dump also has objects that the next collection would
// free.
//
// A Scanner believes nothing that it reads: each length is compared with what is left of the file, and what is not as
// it should be is a *fail.Error with the byte at which it stands.
package heapdump
