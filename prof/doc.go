// Package prof reads the profiles of Go programs and says what they mean: which
// functions cost most (Top), what a stretch of load cost (Delta), and what
// changed per request between two variants (Changes, Why).
//
// It works on profiles in the pprof protobuf format as runtime/pprof and
// net/http/pprof write them, knows no user interface, and changes no profile it
// is given.
package prof
