// Package chat is a reference service: an instant-messaging server with users in
// rooms, framed packets and a zlib stream per message, built five times over. All
// stages answer the same requests alike, one of them with a bug that is kept on
// purpose; read in order, they are the hunt for what filled the CPU of such a server:
//
//	naive        naive.go        a new buffer, zlib writer and formatted log line per packet
//	pooled-conn  pooled_conn.go  pooled connection objects: no help, and a bug
//	buffers      buffers.go      one read buffer and one log line per connection, reused
//	zlib-reset   zlib_reset.go   one zlib writer and reader per worker, reset
//	final        final.go        no allocation per message, compressed once per broadcast
//
// The wire format is in codec.go; README.md has it as a table, with the published
// figures. What the stages do not differ in (rooms, names, limits, timeouts,
// counters, shutdown) lives in Server, hub and peer and is the same for all.
package chat
