// Package gobench measures the benchmarks of go test on two sides of a change, A and B,
// and says which became faster or slower.
//
// It builds the test binaries of both sides (packages sources and changes), with a test function that lets them stay
// alive (package turns). Both then take turns of some milliseconds in random order. After about a second fresh
// processes take their place: that is a block, since two processes of one binary differ for as long as they live.
// Blocks run binaries whose functions are linked in different orders, and the order is the unit of the test (package
// compare). A benchmark that cannot take turns gets a process for each sample (package process). Or its instructions
// are counted (package instructions).
package gobench
