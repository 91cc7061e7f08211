// Package prof reads the profiles of Go programs and says what they mean: where the costs are (Views), what a stretch
// of load cost (Delta), and who causes the collector's work (NewBlame). What names in profiles say is in prof/symbol,
// what changed between two variants and why in prof/diff, what a load exercises of production in prof/production. Heap
// dumps, and who holds memory, are read by prof/heapdump and prof/holders.
//
// It works on profiles in the pprof protobuf format as runtime/pprof and
// net/http/pprof write them, knows no user interface, and changes no profile it
// is given.
package prof
