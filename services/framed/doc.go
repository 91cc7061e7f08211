// Package framed is a reference service: a TCP server that answers length-prefixed
// frames, built six times over. Each stage answers the same bytes to the same
// requests and differs from the one before it in one thing, so that the stages,
// read in order, are a ladder of what a change in a network server is worth:
//
//	raw               raw.go               each field is read and written by itself
//	buffered-noflush  buffered_noflush.go  bufio around the connection, flushed only when the connection ends (a bug, kept)
//	buffered          buffered.go          flushed when no further whole frame is waiting
//	pooled            pooled.go            + sync.Pool for the decoded Submit
//	batched           batched.go           one read, every whole frame of it, one write
//	reactor           reactor_linux.go     one event loop a processor, no goroutine a connection
//
// The wire format is in codec.go; README.md has it as a table, with the published
// figures. Accepting, limits, timeouts and shutdown are
// those of all services, in services/internal/server.
//
// Client is the other end: one connection that many goroutines share. Package metrics
// shows a server's counters to Prometheus.
package framed
