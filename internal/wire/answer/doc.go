// Package answer judges answers, whatever protocol they came by: status, length, text and JSON of a body that comes in
// pieces, values that are taken of it, messages of streams, and what the first wrong answer was.
//
// It allocates nothing per answer once it is warm; keep it so (BenchmarkHTTPAnswer in internal/wire/schemes).
// Server-sent events: HTML, section 9.2.
package answer
