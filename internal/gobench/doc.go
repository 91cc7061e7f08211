// Package gobench measures the benchmarks of go test on two sides of a change, A and B,
// and says which became faster or slower.
//
// It builds the test binaries of both sides once, and then runs every benchmark again and
// again, each time in a short process of its own, once on each side, in random order. One
// process is one sample: two processes of one binary differ for as long as they live, so
// that iterations within one say little about the next. The pair of processes of a round
// is the unit of the test (package compare).
//
// The package also reads files of benchmark results and compares them as benchstat does.
package gobench
